// Package mcp is a server of the Model Context Protocol over the sessions of one folder, for agents: a tool for every act
// of package acts, with its schemas; resources for sessions, their fronts, histories and pictures, the guides and the
// glossary; and prompts. It reads and writes the session files of the folder and nothing else, and starts no program.
// Every act is recorded with the name of the client.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
)

// instructions are what a client tells its model about the server.
const instructions = "Bandscope optimizes expensive experiments step by step with a model of the results. A session is a file in this folder. Create one with create, get points with ask, report results with tell, and explain choices with why and check. Never invent results: report only values that somebody measured. The record keeps everything and who did it."

// server serves the sessions of a folder.
type server struct {
	folder *acts.Folder
	mcp    *mcp.Server

	mu     sync.Mutex
	turns  map[string]*sync.Mutex // acts on a session take turns
	listed map[string]bool        // sessions among the resources
}

// New is a server of the sessions of a folder.
func New(folder *acts.Folder) *mcp.Server {
	s := &server{folder: folder, turns: map[string]*sync.Mutex{}, listed: map[string]bool{}}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "bandscope", Title: "Bandscope", Version: sessions.ProgramVersion()},
		&mcp.ServerOptions{Instructions: instructions})
	for _, a := range acts.All() {
		if !a.Waits { // a tool answers once; history has the events
			s.mcp.AddTool(tool(a), s.handler(a))
		}
	}
	s.addResources()
	s.addPrompts()
	s.mcp.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "resources/list" {
				s.listSessions()
			}
			return next(ctx, method, r)
		}
	})
	return s.mcp
}

// tool is the tool of an act.
func tool(a *acts.Act) *mcp.Tool {
	closed := false
	t := &mcp.Tool{Name: a.Name, Description: a.About, InputSchema: a.ToolSchema(), OutputSchema: a.AnswerSchema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !a.Changes, IdempotentHint: a.Idempotent, OpenWorldHint: &closed}}
	if a.Changes {
		destructive := a.Destructive
		t.Annotations.DestructiveHint = &destructive
	}
	return t
}

// handler performs an act. An error of the act is a result that says so, as the model has to see it.
func (s *server) handler(a *acts.Act) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name, arguments, err := splitSession(r.Params.Arguments)
		if err != nil {
			return failure(err), nil
		}
		answer, err := s.perform(ctx, a, name, arguments, clientAuthor(r.ClientInfo()), progress(ctx, r))
		if err != nil {
			return failure(err), nil
		}
		structured, err := encode(answer)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{StructuredContent: structured,
			Content: []mcp.Content{&mcp.TextContent{Text: answer.Text()}}}, nil
	}
}

// perform performs an act on the session with a name, when it is its turn.
func (s *server) perform(ctx context.Context, a *acts.Act, name string, arguments json.RawMessage, author sessions.Author,
	report sessions.Progress) (answer acts.Answer, err error) {
	path, err := s.folder.Path(name)
	if err != nil {
		return nil, err
	}
	turn := s.turn(path)
	turn.Lock()
	defer turn.Unlock()
	s.folder.SetAuthor(author)
	t := acts.Turn{Folder: s.folder, Name: name, Progress: report, Paint: export.Paint}
	if !a.Creates {
		t.Session, err = s.folder.Session(ctx, name)
		if err != nil {
			return nil, err
		}
	}
	if caught := parallel.PanicToError(func() error {
		answer, err = a.Perform(ctx, t, arguments)
		return nil
	}); caught != nil {
		return nil, acts.NewError(acts.CodeFailed, caught)
	}
	return answer, err
}

// turn is held by who acts on a session.
func (s *server) turn(path string) *sync.Mutex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns[path] == nil {
		s.turns[path] = &sync.Mutex{}
	}
	return s.turns[path]
}

// clientAuthor is the author for a client.
func clientAuthor(client *mcp.Implementation) sessions.Author {
	author := sessions.Author{Kind: sessions.AuthorAgent, Via: sessions.ViaMCP}
	if client != nil {
		author.Name = client.Name
	}
	return author.Clean()
}

// maxArguments bounds the arguments of a tool in bytes.
const maxArguments = 4 << 20

// splitSession takes the name of the session from the arguments of a tool.
func splitSession(raw json.RawMessage) (name string, rest json.RawMessage, err error) {
	if len(raw) > maxArguments {
		return "", nil, acts.NewError(acts.CodeRequest, fmt.Errorf("the arguments are longer than %d bytes", maxArguments))
	}
	var rawMessages map[string]json.RawMessage
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &rawMessages) != nil {
		return "", nil, acts.NewError(acts.CodeRequest, errors.New("the arguments are not one JSON object"))
	}
	if json.Unmarshal(rawMessages["session"], &name) != nil || name == "" {
		e := acts.NewError(acts.CodeRequest, errors.New("session is missing: the name of the session's file"))
		e.Hint = `"session": "s.jsonl"`
		return "", nil, e
	}
	delete(rawMessages, "session")
	rest, err = json.Marshal(rawMessages)
	return name, rest, err
}

// failure is the result of an act that failed.
func failure(err error) *mcp.CallToolResult {
	var e *acts.Error
	if !errors.As(err, &e) {
		e = acts.NewError(acts.CodeFailed, err)
	}
	text := fmt.Sprintf("%s (%s).", e.Text, e.Code)
	if e.Hint != "" {
		text += " " + e.Hint + "."
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: sanitize.Text(text)}}}
}

// encode is an answer as JSON, without control characters that a terminal would obey.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	err := sanitize.JSON(&b, v)
	return bytes.TrimSpace(b.Bytes()), err
}

// progressEvery is how often a client hears how far a long act is.
const progressEvery = 500 * time.Millisecond

// progress tells a client that asks for it how far an act is.
func progress(ctx context.Context, r *mcp.CallToolRequest) sessions.Progress {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var mu sync.Mutex
	count, next := 0.0, time.Now().Add(progressEvery)
	return func(stage string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.After(next) {
			next, count = now.Add(progressEvery), count+1
			text := stage
			if total > 0 {
				text = fmt.Sprintf("%s (%d of %d)", stage, done, total)
			}
			r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: text,
				Progress: count})
		}
	}
}
