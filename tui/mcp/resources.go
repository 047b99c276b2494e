package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"bandscope/sessions/acts"
	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/sanitize"
	"bandscope/tui/guide"
)

// The kinds of content.
const (
	mimeJSON     = "application/json"
	mimeSVG      = "image/svg+xml"
	mimeMarkdown = "text/markdown"
	mimeText     = "text/plain"
)

// parts are what a session has below its address.
var parts = map[string]struct {
	act  *acts.Act
	mime string
	text string
}{
	"":             {acts.Status.Act, mimeJSON, "the state of the session"},
	"/front":       {acts.Front.Act, mimeJSON, "its Pareto front"},
	"/history":     {acts.History.Act, mimeJSON, "the events on record, with their authors"},
	"/picture.svg": {acts.Picture.Act, mimeSVG, "what the model believes, as a picture"},
}

// addResources adds the guides, the glossary, and the addresses of sessions.
func (s *server) addResources() {
	for _, t := range guide.Topics() {
		s.mcp.AddResource(&mcp.Resource{URI: "guide://" + t.Name, Name: t.Name, Title: t.Title, Description: t.About,
			MIMEType: mimeMarkdown}, readGuide)
	}
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "glossary://{term}", Name: "glossary",
		Title: "Glossary", Description: "a term of the field: definition, formula, source", MIMEType: mimeMarkdown},
		readTerm)
	for _, path := range []string{"", "/front", "/history", "/picture.svg"} {
		p := parts[path]
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "session://{name}" + path,
			Name: "session" + strings.ReplaceAll(path, "/", "-"), Description: p.text, MIMEType: p.mime}, s.readSession)
	}
	s.listSessions()
}

// listSessions brings the list of sessions among the resources up to date.
func (s *server) listSessions() {
	names := s.folder.Names()
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.listed {
		if !slices.Contains(names, name) {
			delete(s.listed, name)
			s.mcp.RemoveResources("session://" + url.PathEscape(name))
		}
	}
	for _, name := range names {
		if s.listed[name] {
			continue
		}
		s.listed[name] = true
		s.mcp.AddResource(&mcp.Resource{URI: "session://" + url.PathEscape(name), Name: name,
			Description: "the state of the session", MIMEType: mimeJSON}, s.readSession)
	}
}

// contents is the answer to a reading.
func contents(uri, mime, text string) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}, nil
}

// wrongRequest is an error of a request that is no call of a tool, with the code of JSON-RPC.
func wrongRequest(err error) error {
	code := int64(jsonrpc.CodeInvalidParams)
	var e *acts.Error
	if errors.As(err, &e) && e.Code != acts.CodeRequest {
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: sanitize.Text(err.Error())}
}

func readGuide(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	t, err := guide.Find(strings.TrimPrefix(r.Params.URI, "guide://"))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return contents(r.Params.URI, mimeMarkdown, t.Text)
}

func readTerm(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, "glossary://"))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	t, err := glossary.Find(name)
	if err != nil {
		return nil, wrongRequest(fmt.Errorf("%s: %w", r.Params.URI, err))
	}
	text := "# " + t.Name + "\n\n" + t.Definition + "\n"
	if t.Formula != "" {
		text += "\n" + t.Formula + "\n"
	}
	return contents(r.Params.URI, mimeMarkdown, text+"\nSource: "+t.Source+"\n")
}

// readSession reads a session, or a part of it.
func (s *server) readSession(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	escaped := strings.TrimPrefix(r.Params.URI, "session://")
	path := ""
	if i := strings.IndexByte(escaped, '/'); i >= 0 {
		escaped, path = escaped[:i], escaped[i:]
	}
	p, ok := parts[path]
	name, err := url.PathUnescape(escaped)
	if err != nil || !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	answer, err := s.perform(ctx, p.act, name, json.RawMessage("{}"), clientAuthor(r.ClientInfo()), nil)
	if err != nil {
		return nil, wrongRequest(fmt.Errorf("%s: %w", r.Params.URI, err))
	}
	if picture, ok := answer.(acts.PictureAnswer); ok {
		return contents(r.Params.URI, mimeSVG, picture.Picture)
	}
	text, err := encode(answer)
	if err != nil {
		return nil, err
	}
	return contents(r.Params.URI, mimeJSON, string(text))
}
