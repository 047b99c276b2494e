package web

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/graphics"
	"bandscope/tui/internal/browsertest"
)

// classroom is a server on this machine with terminals that say what they get.
type classroom struct {
	*Server
	*cutter
	origin string
	stop   func()

	mu     sync.Mutex
	hellos []Hello
	keys   strings.Builder
	sizes  chan Size

	returned chan Hello // with a token
}

// cutter is a listener whose connections can be cut.
type cutter struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns = append(c.conns, conn)
	return conn, err
}

func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

func openClassroom(t *testing.T) *classroom {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	c := &classroom{cutter: &cutter{Listener: l}, origin: "http://" + l.Addr().String(), stop: stop,
		sizes: make(chan Size, 100), returned: make(chan Hello, 100)}
	c.Server = New(Options{Join: c.join})
	ended := make(chan error, 1)
	go func() { ended <- c.Serve(ctx, c.cutter, Certificate{}) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return c
}

func (c *classroom) join(_ context.Context, h Hello) (string, func(context.Context, Client) error, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hellos = append(c.hellos, h)
	switch {
	case h.Token == "the token":
		c.returned <- h
		return h.Token, c.terminal("again"), nil
	case h.Code == "abc":
		return "the token", c.terminal("hello"), nil
	}
	return "", nil, errors.New("the join code is wrong")
}

// terminal greets, asks the terminal what it is, and then says what keys and sizes it gets.
func (c *classroom) terminal(greeting string) func(context.Context, Client) error {
	return func(ctx context.Context, client Client) error {
		line := 1
		say := func(format string, arguments ...any) {
			fmt.Fprintf(client.Out, "\x1b[%dH\x1b[K\x1b[38;2;200;100;50m%s\x1b[m", line, fmt.Sprintf(format, arguments...))
			line++
		}
		fmt.Fprint(client.Out, "\x1b[?1049h\x1b[2J\x1b[?2004h\x1b[c")
		say("%s %s %d×%d dark=%v watch=%v", greeting, client.Name, client.Cols, client.Rows, client.Dark, client.Watch)
		keys := make(chan string)
		go func() {
			defer close(keys)
			for p := make([]byte, maxFrame); ; {
				n, err := client.In.Read(p)
				if err != nil {
					return
				}
				select {
				case keys <- string(p[:n]):
				case <-ctx.Done():
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				return nil
			case size := <-client.Sizes:
				c.sizes <- size
				say("size %d×%d", size.Cols, size.Rows)
			case k, ok := <-keys:
				switch {
				case !ok:
					return nil
				case k == "q":
					return nil
				case k == "g": // what has the terminal for pictures?
					fmt.Fprint(client.Out, graphics.Query)
				case k == "s":
					fmt.Fprint(client.Out, graphics.Sixel.Show(sixels))
				case k == "f": // more than a browser may leave unread
					client.Out.Write([]byte(strings.Repeat("\x1b[20Hflood"+strings.Repeat(" ", 5000), 3*maxUnread/5000)))
					say("the flood is over")
				default:
					c.mu.Lock()
					c.keys.WriteString(k)
					c.mu.Unlock()
					say("keys %.20q %d", k, len(k))
				}
			}
		}
	}
}

// lastHello returns the latest hello.
func (c *classroom) lastHello() Hello {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hellos[len(c.hellos)-1]
}

// nextSize waits for the next size that arrives.
func (c *classroom) nextSize(t *testing.T) Size {
	t.Helper()
	select {
	case size := <-c.sizes:
		return size
	case <-time.After(browsertest.Patience):
		t.Fatal("no size arrives")
		return Size{}
	}
}

// A person joins in a real browser, presses keys, changes the size of the window, loses the connection and gets it back,
// pastes too much and leaves. The page violates no policy.
func TestChromiumJoins(t *testing.T) {
	browser, class := browsertest.Start(t, false), openClassroom(t)
	p := browser.Open(t, 1000, 600, true)
	p.Visit(class.origin + "/#code=wrong")
	if position := p.Get("location.href"); position != class.origin+"/" {
		t.Errorf("the address still has the code: %v", position)
	}
	p.Picture("form-dark")
	p.Wait("document.activeElement.id === 'name'")
	p.Type("Ada")
	p.Press("Enter", 13, "\r")
	p.Wait("document.getElementById('problem').textContent === 'The join code is wrong.'")
	p.Picture("form-refused")
	p.Get("document.getElementById('code').select()")
	p.Type("abc")
	p.Press("Enter", 13, "\r")
	p.Shows("hello Ada")
	h := class.lastHello()
	if h.Name != "Ada" || h.Code != "abc" || h.Token != "" || !h.Dark || h.Watch || h.Cols < 80 || h.Rows < 24 {
		t.Errorf("the hello is %+v", h)
	}
	if color := p.Get("getComputedStyle([...document.querySelectorAll('.xterm-rows span')].find((span) => span.textContent.includes('hello'))).color"); color != "rgb(200, 100, 50)" {
		t.Errorf("the text has the color %v", color)
	}
	p.Shows("keys") // the answer of the terminal to what it is
	p.Press("x", 88, "x")
	p.Shows(`keys "x" 1`)
	p.Press("ArrowUp", 38, "")
	p.Shows(`keys "\x1b[A" 3`)

	p.Resize(800, 500)
	size := class.nextSize(t)
	if size.Cols >= h.Cols || size.Rows >= h.Rows || size.Cols < 80 {
		t.Errorf("the size is %v, before %d×%d", size, h.Cols, h.Rows)
	}

	class.cut()
	p.Shows("again Ada")
	if h := class.lastHello(); h.Token != "the token" || h.Code != "" || h.Cols != size.Cols || h.Rows != size.Rows {
		t.Errorf("the browser comes back with %+v", h)
	}
	p.Wait("document.getElementById('lost').hidden")
	testPaste(t, p, class)
	p.Press("f", 70, "f")
	p.Shows("the flood is over")

	p.Visit(class.origin + "/") // in the same tab
	p.Shows("again Ada")
	p.Press("q", 81, "q")
	p.Wait("document.getElementById('reason').textContent === 'You have left.'")
	p.Picture("left")
	for _, complaint := range browser.Complaints() {
		t.Errorf("the page complains: %s", complaint)
	}
}

// sixels are a picture of a color that sixels have, with a hole.
var sixels = func() graphics.Picture {
	m := image.NewRGBA(image.Rect(0, 0, 200, 60))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{51, 204, 102, 255}), image.Point{}, draw.Src)
	return graphics.Picture{Image: m, Area: image.Rect(0, 0, 20, 3), Holes: []image.Rectangle{image.Rect(0, 0, 9, 1)}}
}()

// A terminal in a browser has sixels and knows the size of a cell. It shows a picture, and the text in a hole of it.
func TestChromiumShowsPictures(t *testing.T) {
	for name, webGL := range map[string]bool{"WebGL": true, "elements": false} {
		t.Run(name, func(t *testing.T) {
			browser, class := browsertest.Start(t, webGL), openClassroom(t)
			p := browser.Open(t, 900, 600, true)
			p.Visit(class.origin + "/#code=abc&name=Ada")
			p.ShowsColor(color.RGBA{200, 100, 50, 255})
			p.Press("g", 71, "g")
			class.waitFor(t, regexp.MustCompile(`\x1b\[6;\d+;\d+t\x1b\[4;\d+;\d+t\x1b\[\?62;4;9;22c`))
			p.Press("s", 83, "s")
			p.ShowsColor(color.RGBA{51, 204, 102, 255})
			p.ShowsColor(color.RGBA{200, 100, 50, 255})
			p.Picture("sixels-" + name)
			for _, complaint := range browser.Complaints() {
				t.Errorf("the page complains: %s", complaint)
			}
		})
	}
}

// waitFor waits until the keys of a browser contain a text.
func (c *classroom) waitFor(t *testing.T, text *regexp.Regexp) {
	t.Helper()
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return text.MatchString(c.keys.String())
	}, browsertest.Patience, 10*time.Millisecond)
}

// testPaste pastes what is too long, and what is not.
func testPaste(t *testing.T, p *browsertest.Page, class *classroom) {
	t.Helper()
	class.mu.Lock()
	class.keys.Reset()
	class.mu.Unlock()
	paste := func(length int) {
		p.Get(fmt.Sprintf("(() => { const data = new DataTransfer(); data.setData('text/plain', 'x'.repeat(%d)); document.querySelector('.xterm-helper-textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) })()", length))
	}
	paste(1 << 20)
	p.Wait("!document.getElementById('notice').hidden")
	p.Picture("paste")
	paste(60_000)
	p.Press("y", 89, "y")
	p.Shows(`keys "y" 1`)
	class.mu.Lock()
	defer class.mu.Unlock()
	if keys := class.keys.String(); strings.Count(keys, "x") != 60_000 || utf8.RuneCountInString(keys) > 60_100 {
		t.Errorf("%d bytes have arrived: %.40q", len(keys), keys)
	}
}

// A projector joins by its address alone, shows the screen larger, and sends nothing; with WebGL and without.
func TestChromiumWatches(t *testing.T) {
	for name, webGL := range map[string]bool{"WebGL": true, "elements": false} {
		t.Run(name, func(t *testing.T) {
			browser, class := browsertest.Start(t, webGL), openClassroom(t)
			p := browser.Open(t, 1600, 900, false)
			p.Visit(class.origin + "/?watch&font=24#code=abc")
			p.ShowsColor(color.RGBA{200, 100, 50, 255})
			if canvas := p.Get("document.querySelector('.xterm-screen canvas') !== null"); canvas != webGL {
				t.Errorf("the terminal is drawn on a canvas: %v", canvas)
			}
			h := class.lastHello()
			if !h.Watch || h.Dark || h.Code != "abc" || h.Cols < 80 || h.Cols > 120 {
				t.Errorf("the hello is %+v", h)
			}
			p.Press("x", 88, "x")
			p.Press("-", 189, "-")
			size := class.nextSize(t)
			p.Picture("watch-" + name)
			class.mu.Lock()
			keys := class.keys.String()
			class.mu.Unlock()
			if keys != "" || size.Cols <= h.Cols {
				t.Errorf("the keys are %q, the size is %v after %d×%d", keys, size, h.Cols, h.Rows)
			}
			class.stop()
			p.Wait("document.getElementById('reason').textContent === 'The server has ended.'")
			p.Picture("ended")
			for _, complaint := range browser.Complaints() {
				t.Errorf("the page complains: %s", complaint)
			}
		})
	}
}

// A tab that sleeps loses its connection, and gets it back when it wakes up.
func TestChromiumSleeps(t *testing.T) {
	browser, class := browsertest.Start(t, false), openClassroom(t)
	p := browser.Open(t, 800, 600, false)
	p.Visit(class.origin + "/#code=abc&name=Ada")
	p.Shows("hello Ada")
	p.Do("Page.setWebLifecycleState", map[string]any{"state": "frozen"})
	class.cut()
	p.Do("Page.setWebLifecycleState", map[string]any{"state": "active"})
	select { // DevTools leaves the tab hidden, so that it draws nothing
	case h := <-class.returned:
		if h.Name != "Ada" || h.Code != "" {
			t.Errorf("the browser comes back with %+v", h)
		}
	case <-time.After(browsertest.Patience):
		t.Fatal("the browser does not come back")
	}
}

// A violation of the policy is refused and reported: the tests above would fail.
func TestChromiumComplains(t *testing.T) {
	browser, class := browsertest.Start(t, false), openClassroom(t)
	p := browser.Open(t, 800, 600, false)
	p.Visit(class.origin + "/")
	p.Picture("form-light")
	p.Get("document.body.setAttribute('style', 'color: red')")
	p.Get("document.head.append(Object.assign(document.createElementNS('http://www.w3.org/1999/xhtml', 'style'), {textContent: 'p {}'}))")
	if complaints := browser.Complaints(); len(complaints) < 2 {
		t.Errorf("the page complains %q", complaints)
	}
	if color := p.Get("getComputedStyle(document.body).color"); color == "rgb(255, 0, 0)" {
		t.Error("an inline style applies")
	}
}
