package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// static has the page and, in static/xterm, the files of @xterm/xterm 6.0.0, @xterm/addon-fit 0.11.0,
// @xterm/addon-image 0.9.0 and @xterm/addon-webgl 0.19.0 as published on npm, with their licenses.
// TestXtermIsAsPublished has their digests.
//
//go:embed static
var static embed.FS

// A file is a file of the page.
type file struct {
	content []byte
	kind    string // media type
	tag     string // entity tag, from the content
}

// mediaTypes are those of the page's files, by the ending of the name.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", "": "text/plain; charset=utf-8",
}

// staticFiles returns the files of the page by their paths.
func staticFiles() map[string]file {
	files := map[string]file{}
	err := fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		files[strings.TrimPrefix(name, "static")] = file{content: content, kind: mediaTypes[path.Ext(name)],
			tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	files["/"] = files["/index.html"]
	return files
}

// serveFile answers a request for a file of the page.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	f, ok := s.files[r.URL.Path]
	if !ok {
		http.Error(w, "There is no such page.", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // ask each time whether it has changed
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}

// policy is the content security policy: nothing but the page's own files, and no inline scripts or styles. xterm.js
// creates inline styles; styles.mjs turns them into constructed style sheets, which the policy need not allow. Its decoder
// of sixels is WebAssembly, part of its own script.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// secure sets the headers of every answer.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

// requestHost returns the host that the browser has addressed.
func (s *Server) requestHost(r *http.Request) string {
	if s.o.Proxy {
		if host := last(r.Header.Values("X-Forwarded-Host")); host != "" {
			return host
		}
	}
	return r.Host
}

// allowedHost reports whether the browser has addressed a host that is this one.
func (s *Server) allowedHost(r *http.Request) bool {
	name := hostname(s.requestHost(r))
	_, err := netip.ParseAddr(name)
	return err == nil || s.hosts[name]
}

// allowedOrigin reports whether a request comes from the server's own page, or from one that may connect. Browsers
// always send an origin with a WebSocket.
func (s *Server) allowedOrigin(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" || origin.Scheme != "http" && origin.Scheme != "https" {
		return false
	}
	return strings.EqualFold(origin.Host, s.requestHost(r)) ||
		slices.ContainsFunc(s.o.Origins, func(allowed string) bool {
			return strings.EqualFold(strings.TrimSuffix(allowed, "/"), origin.Scheme+"://"+origin.Host)
		})
}

// address returns the address of the browser.
func (s *Server) address(r *http.Request) string {
	from := r.RemoteAddr
	if addrPort, err := netip.ParseAddrPort(from); err == nil {
		from = addrPort.Addr().String()
	}
	if s.o.Proxy { // a proxy appends the address to what a browser may have sent
		if forwarded := last(r.Header.Values("X-Forwarded-For")); forwarded != "" {
			from = forwarded
		}
	}
	a, err := netip.ParseAddr(from)
	if err != nil {
		return "unknown"
	}
	return a.Unmap().WithZone("").String()
}

// last returns the last element of a header that is a list.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	list := strings.Split(values[len(values)-1], ",")
	return strings.TrimSpace(list[len(list)-1])
}
