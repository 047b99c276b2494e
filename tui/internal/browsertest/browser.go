// Package browsertest drives a real browser in tests.
package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
)

// Patience is how long a browser may need for anything; tests do not depend on it.
const Patience = time.Minute

// Chromium is a browser without a window, driven by the DevTools protocol.
type Chromium struct {
	ws *websocket.Conn

	mu      sync.Mutex
	number  int
	answers map[int]chan devtools
	said    []string // by pages: errors, and violations of the policy
}

// devtools is a message of the protocol.
type devtools struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Page is a tab.
type Page struct {
	*Chromium
	t       *testing.T
	session string
}

// findChromium finds the browser, or skips the test. It must be there if BANDSCOPE_CHROMIUM names it.
func findChromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds, and shares nothing with the server")
	}
	if name := os.Getenv("BANDSCOPE_CHROMIUM"); name != "" {
		file, err := exec.LookPath(name)
		require.NoError(t, err)
		return file
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if file, err := exec.LookPath(name); err == nil {
			return file
		}
	}
	t.Skip("there is no Chromium")
	return ""
}

// Start starts the browser until the end of the test, with WebGL (computed by the processor) or without.
func Start(t *testing.T, webGL bool) *Chromium {
	t.Helper()
	arguments := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + t.TempDir(), "--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "about:blank"}
	if webGL {
		arguments = append(arguments, "--enable-unsafe-swiftshader", "--use-angle=swiftshader")
	} else {
		arguments = append(arguments, "--disable-gpu", "--disable-3d-apis")
	}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--no-sandbox")
	}
	command := exec.Command(findChromium(t), arguments...)
	errors, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	require.NoError(t, err)
	c := &Chromium{answers: map[int]chan devtools{}}
	t.Cleanup(func() { command.Wait() })
	kill := time.AfterFunc(Patience, func() { command.Process.Kill() })
	var address string
	for lines := bufio.NewScanner(errors); address == "" && lines.Scan(); {
		if found := regexp.MustCompile(`DevTools listening on (ws://\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			address = found[1]
		}
	}
	kill.Stop()
	go bufio.NewReader(errors).WriteTo(io.Discard)
	c.ws, _, err = websocket.Dial(t.Context(), address, nil)
	if err != nil {
		command.Process.Kill()
		t.Fatal(err)
	}
	c.ws.SetReadLimit(-1)
	go c.listen()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if _, err := c.call(ctx, "", "Browser.close", nil); err != nil {
			command.Process.Kill()
		}
		c.ws.CloseNow()
	})
	return c
}

// listen passes answers to those who wait for them, and collects what pages complain about.
func (c *Chromium) listen() {
	for {
		_, text, err := c.ws.Read(context.Background())
		var m devtools
		if err != nil || json.Unmarshal(text, &m) != nil {
			return
		}
		c.mu.Lock()
		switch m.Method {
		case "":
			if answer := c.answers[m.ID]; answer != nil {
				answer <- m
			}
			delete(c.answers, m.ID)
		case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
			if !bytes.Contains(m.Params, []byte("task queue exceeded allotted deadline")) { // of xterm.js on a slow machine
				c.said = append(c.said, string(m.Params))
			}
		}
		c.mu.Unlock()
	}
}

// Complaints are what pages have complained about since the last time.
func (c *Chromium) Complaints() (all []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all, c.said = c.said, nil
	return all
}

// call calls a method of the protocol.
func (c *Chromium) call(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	if params == nil {
		params = struct{}{}
	}
	p, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.number++
	m := devtools{ID: c.number, SessionID: session, Method: method, Params: p}
	answer := make(chan devtools, 1)
	c.answers[m.ID] = answer
	c.mu.Unlock()
	text, err := json.Marshal(m)
	if err == nil {
		err = c.ws.Write(ctx, websocket.MessageText, text)
	}
	if err != nil {
		return nil, err
	}
	select {
	case a := <-answer:
		if a.Error != nil {
			return nil, errors.New(a.Error.Message)
		}
		return a.Result, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Open opens a tab of a size in pixels.
func (c *Chromium) Open(t *testing.T, width, height int, dark bool) *Page {
	t.Helper()
	var target struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	p := &Page{Chromium: c, t: t}
	json.Unmarshal(p.Do("Target.createTarget", map[string]any{"url": "about:blank"}), &target)
	json.Unmarshal(p.Do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}), &target)
	p.session = target.SessionID
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		c.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": target.TargetID})
	})
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		p.Do(domain+".enable", nil)
	}
	p.Do("Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
	p.Do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": "document.addEventListener('securitypolicyviolation', (e) => console.error('violation', e.effectiveDirective, e.blockedURI, e.sourceFile, e.lineNumber))"})
	p.Resize(width, height)
	return p
}

// Do calls a method on the tab.
func (p *Page) Do(method string, params any) json.RawMessage {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), Patience)
	defer cancel()
	result, err := p.call(ctx, p.session, method, params)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// Resize gives the tab a size in pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.Do("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
}

// Visit opens an address, and waits until the page is there.
func (p *Page) Visit(address string) {
	p.t.Helper()
	p.Do("Page.navigate", map[string]any{"url": "about:blank"})
	p.Wait("location.href === 'about:blank'")
	p.Do("Page.navigate", map[string]any{"url": address})
	p.Wait("location.href !== 'about:blank' && document.readyState === 'complete'")
}

// value is the value of an expression of the page, or of the promise that it is.
func (p *Page) value(expression string) (any, error) {
	ctx, cancel := context.WithTimeout(p.t.Context(), Patience)
	defer cancel()
	result, err := p.call(ctx, p.session, "Runtime.evaluate",
		map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true})
	if err != nil {
		return nil, err
	}
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails any
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, err
	}
	if r.ExceptionDetails != nil {
		return nil, fmt.Errorf("%s: %v", expression, r.ExceptionDetails)
	}
	return r.Result.Value, nil
}

// Get is value, which has to be there.
func (p *Page) Get(expression string) any {
	p.t.Helper()
	v, err := p.value(expression)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// Wait waits until a condition of the page holds, across its navigations.
func (p *Page) Wait(condition string) {
	p.t.Helper()
	begun := time.Now()
	for {
		v, err := p.value("new Promise((done) => { const begun = Date.now(); const look = () => { if (" + condition + ") done(true); else if (Date.now() - begun > 5000) done(false); else setTimeout(look, 10); }; look(); })")
		if v == true {
			return
		}
		if time.Since(begun) > Patience {
			text, _ := p.value("document.body.innerText")
			p.t.Fatalf("%s never holds, %v; the page has %q, says %q", condition, err, text, p.Complaints())
		}
	}
}

// Shows waits until the terminal of the page contains a text.
func (p *Page) Shows(text string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(
		"document.querySelector('.xterm-rows')?.textContent.replaceAll('\\u00a0', ' ').includes(%q)",
		text))
}

// Type types a text into the element that has the focus.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.Do("Input.insertText", map[string]any{"text": text})
}

// Press presses a key.
func (p *Page) Press(key string, code int, text string) {
	p.t.Helper()
	event := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "text": text}
	p.Do("Input.dispatchKeyEvent", event)
	event["type"], event["text"] = "keyUp", ""
	p.Do("Input.dispatchKeyEvent", event)
}

// Screenshot takes a picture of the page.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	var shot struct{ Data []byte }
	if err := json.Unmarshal(p.Do("Page.captureScreenshot", map[string]any{"format": "png"}), &shot); err != nil {
		p.t.Fatal(err)
	}
	return shot.Data
}

// ShowsColor waits until a picture of the page contains a color.
func (p *Page) ShowsColor(want color.Color) {
	p.t.Helper()
	for begun := time.Now(); time.Since(begun) < Patience; {
		shot, err := png.Decode(bytes.NewReader(p.Screenshot()))
		if err != nil {
			p.t.Fatal(err)
		}
		for y := range shot.Bounds().Dy() {
			for x := range shot.Bounds().Dx() {
				if shot.ColorModel().Convert(want) == shot.At(x, y) {
					return
				}
			}
		}
	}
	p.t.Fatalf("the page never shows %v", want)
}

// Picture saves a picture of the page in the folder that BANDSCOPE_PICTURES names, if it does.
func (p *Page) Picture(name string) {
	p.t.Helper()
	if folder := os.Getenv("BANDSCOPE_PICTURES"); folder != "" {
		if err := os.WriteFile(folder+"/"+name+".png", p.Screenshot(), 0o644); err != nil {
			p.t.Error(err)
		}
	}
}
