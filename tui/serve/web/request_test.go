package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// get answers a request without a network.
func get(s *Server, change func(*http.Request)) *http.Response {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.Header.Set("Origin", "http://localhost")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// Every answer, also a refusal, has the headers that confine the page.
func TestHeaders(t *testing.T) {
	s := New(Options{Join: serving(idle)})
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/": {200, "text/html; charset=utf-8"}, "/page.mjs": {200, "text/javascript; charset=utf-8"},
		"/page.css": {200, "text/css; charset=utf-8"}, "/xterm/xterm.mjs": {200, "text/javascript; charset=utf-8"},
		"/icon.svg": {200, "image/svg+xml"}, "/xterm/LICENSE-xterm": {200, "text/plain; charset=utf-8"},
		"/nothing": {404, "text/plain; charset=utf-8"}, "/../web.go": {404, "text/plain; charset=utf-8"},
		"/terminal": {426, "text/plain; charset=utf-8"},
	} {
		a := get(s, func(r *http.Request) { r.URL.Path = path })
		if a.StatusCode != want.status || a.Header.Get("Content-Type") != want.kind {
			t.Errorf("%s: %d, %s", path, a.StatusCode, a.Header.Get("Content-Type"))
		}
		for name, value := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
			"X-Content-Type-Options":  "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			assert.Equal(t, value, a.Header.Get(name), "%s: %s", path, name)
		}
		cache := map[bool]string{true: "no-cache", false: "no-store"}[want.status == 200]
		assert.Equal(t, cache, a.Header.Get("Cache-Control"), "%s: Cache-Control", path)
	}
	tag := get(s, nil).Header.Get("ETag")
	if a := get(s, func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); a.StatusCode != http.StatusNotModified {
		t.Errorf("the same page again: %d", a.StatusCode)
	}
	if a := get(s, func(r *http.Request) { r.Method = http.MethodPost }); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", a.StatusCode)
	}
}

// A domain of somebody else that resolves to this machine is not its name.
func TestHosts(t *testing.T) {
	machine, err := os.Hostname()
	require.NoError(t, err)
	s := New(Options{Join: serving(idle), Hosts: []string{"Class.example"}})
	proxied := New(Options{Join: serving(idle), Hosts: []string{"class.example"}, Proxy: true})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "192.0.2.1:80": 200, "[2001:db8::1]:80": 200, "[::1]": 200,
		"class.example:80": 200, "CLASS.EXAMPLE.": 200, machine: 200, machine + ".local:80": 200,
		"attacker.example": 421, "192.0.2.1.attacker.example": 421, "class.example.attacker.example": 421,
		"": 421, ":80": 421, "[::1": 400, "[2001:db8::1:80": 400, "::1]": 400, "[": 400, "a@localhost": 400, "localhost:http": 400,
		"local host": 400,
	} {
		if a := get(s, func(r *http.Request) { r.Host = host }); a.StatusCode != want {
			t.Errorf("%q: %d, want %d", host, a.StatusCode, want)
		}
		a := get(proxied, func(r *http.Request) {
			r.Header.Set("X-Forwarded-Host", host)
			r.Host = "attacker.example"
		})
		assert.Equal(t, want, a.StatusCode, "%q behind a proxy", host)
	}
	a := get(s, func(r *http.Request) {
		r.Header.Set("X-Forwarded-Host", "localhost")
		r.Host = "attacker.example"
	})
	assert.Equal(t, 421, a.StatusCode, "a header is trusted without a proxy")
}

// Only the server's own page can open a terminal, and pages that are named.
func TestOrigins(t *testing.T) {
	s := New(Options{Join: serving(idle), Hosts: []string{"class.example"}, Origins: []string{"https://school.example/"}})
	proxied := New(Options{Join: serving(idle), Hosts: []string{"class.example"}, Proxy: true})
	const allowed = http.StatusUpgradeRequired // these requests have no handshake
	for _, c := range []struct {
		origin string
		want   int
	}{
		{"http://localhost", allowed}, {"https://LOCALHOST", allowed}, {"https://school.example", allowed},
		{"", 403}, {"null", 403}, {"http://localhost:81", 403}, {"http://attacker.example", 403},
		{"http://school.example", 403},
		{"http://localhost.attacker.example", 403}, {"file://localhost", 403}, {"http://%zz", 403},
	} {
		a := get(s, func(r *http.Request) {
			r.URL.Path = "/terminal"
			r.Header.Set("Origin", c.origin)
		})
		assert.Equal(t, c.want, a.StatusCode, "%q", c.origin)
	}
	for origin, want := range map[string]int{"https://class.example": allowed, "http://localhost": 403} {
		a := get(proxied, func(r *http.Request) {
			r.URL.Path = "/terminal"
			r.Header.Set("X-Forwarded-Host", "class.example")
			r.Header.Set("Origin", origin)
		})
		assert.Equal(t, want, a.StatusCode, "%q behind a proxy", origin)
	}
}

// Addresses behind a proxy are those that it adds, not those that a browser sends.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		remote, forwarded string
		proxy             bool
		address           string
	}{
		{"192.0.2.1:1", "", false, "192.0.2.1"},
		{"192.0.2.1:1", "192.0.2.9", false, "192.0.2.1"},
		{"127.0.0.1:1", "192.0.2.9", true, "192.0.2.9"},
		{"127.0.0.1:1", "192.0.2.9, 192.0.2.8", true, "192.0.2.8"},
		{"127.0.0.1:1", "", true, "127.0.0.1"},
		{"127.0.0.1:1", "<script>", true, "unknown"},
		{"[2001:db8::1:2]:1", "", false, "2001:db8::1:2"},
		{"[fe80::1%eth0]:1", "", false, "fe80::1"},
		{"pipe", "", false, "unknown"},
	} {
		s := New(Options{Join: serving(idle), Proxy: c.proxy})
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		assert.Equal(t, c.address, s.address(r), "%+v", c)
	}
}

// The page loads nothing from elsewhere, and contains no inline scripts or styles.
func TestPageIsStrict(t *testing.T) {
	files := staticFiles()
	for path, f := range files {
		assert.NotEqual(t, "", f.kind, "%s has no media type", path)
		if strings.HasPrefix(path, "/xterm/") {
			continue
		}
		for _, not := range []string{"https:", "http:", "style=", "<style", "onclick", "innerHTML", "eval(", "<script>"} {
			text := strings.ReplaceAll(string(f.content), "http://www.w3.org/2000/svg", "")
			text = strings.ReplaceAll(text, `=== "https:"`, "")
			assert.NotContains(t, text, not, "%s contains %q", path, not)
		}
	}
}

// The files of xterm.js are those that its authors published on npm: @xterm/xterm 6.0.0, @xterm/addon-fit 0.11.0 and
// @xterm/addon-webgl 0.19.0.
func TestXtermIsAsPublished(t *testing.T) {
	files := staticFiles()
	published := map[string]string{ // SHA-256
		"xterm.mjs":           "b336ec65a086c056d4804b3d4c2347da5663d3f23c3f25be866467bd8857ad59",
		"xterm.css":           "854a7c0fb70e8b1a083c16797ab827299fb18744f5ad34f227b48337e33293c6",
		"LICENSE-xterm":       "b569f629d00f2626a8100df2a1798210535621e42164dfd426a6fe5aac7b0ccd",
		"addon-fit.mjs":       "2d87e1bddc73be9111de8beee5370c3bb7aac9c94e18e6f245f02ca741ef1769",
		"LICENSE-addon-fit":   "e256f01188af527e4d06d21d06fbf785ae9c50d4b328bf03cbe0ba7f0aa4228f",
		"addon-image.mjs":     "16e9e5ffc20abf914d94b592890105776fbd1d3a46505343349498d80e08ee9c",
		"LICENSE-addon-image": "00994f891153ba5d613e2b838a9ad2f47d4484070cb594b46efc547ebea5ca05",
		"addon-webgl.mjs":     "5ac2cbbb8a861ba99176eda0ee91f10c08de32d091e3488edf699ad111131ebb",
		"LICENSE-addon-webgl": "21b975c39532001d431dc3b2c29fbff691d83f370833a66b54698bda290fde0e",
	}
	for path, f := range files {
		name, ok := strings.CutPrefix(path, "/xterm/")
		if !ok {
			continue
		}
		if sum := sha256.Sum256(f.content); hex.EncodeToString(sum[:]) != published[name] {
			t.Errorf("%s has the SHA-256 digest %x", name, sum)
		}
		delete(published, name)
	}
	if len(published) > 0 {
		t.Errorf("not there: %v", published)
	}
}

// With a certificate the server speaks TLS.
func TestTLS(t *testing.T) {
	certificate, pool := selfSigned(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- New(Options{Join: serving(echo)}).Serve(ctx, l, certificate) }()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	origin := "https://" + l.Addr().String()
	a, err := client.Get(origin + "/")
	require.NoError(t, err)
	page, err := io.ReadAll(a.Body)
	if err != nil || !strings.Contains(string(page), "<title>Bandscope</title>") || a.TLS.Version < tls.VersionTLS12 {
		t.Errorf("the page is %q, %v", page, err)
	}
	c, _, err := websocket.Dial(ctx, origin+"/terminal", &websocket.DialOptions{HTTPClient: client,
		HTTPHeader: http.Header{"Origin": {origin}}, Subprotocols: []string{protocol}})
	require.NoError(t, err)
	say(t, c, hello())
	if m := hear(t, c); m.Type != "joined" {
		t.Errorf("the answer is %+v", m)
	}
	stop()
	wantEnd(t, c, codeEnding, "The server has ended.")
	assert.NoError(t, <-ended)
	missing := Certificate{CertFile: "nothing.pem", KeyFile: "nothing.pem"}
	l, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if err := New(Options{Join: serving(echo)}).Serve(t.Context(), l, missing); err == nil {
		t.Error("the server serves without its certificate")
	}
}

// selfSigned makes a certificate for 127.0.0.1.
func selfSigned(t *testing.T) (Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	folder := t.TempDir()
	c := Certificate{CertFile: filepath.Join(folder, "cert.pem"), KeyFile: filepath.Join(folder, "key.pem")}
	for file, block := range map[string]*pem.Block{c.CertFile: {Type: "CERTIFICATE", Bytes: der},
		c.KeyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return c, pool
}
