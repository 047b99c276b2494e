package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"

	"bandscope/sessions"
	"bandscope/tui/serve/web"
)

// tokens let people in browsers come back without a code, as after a lost connection.
type tokens struct {
	mu sync.Mutex
	by map[[sha256.Size]byte]token // by the hash of the text
}

type token struct {
	person *Person
	until  time.Time
}

// tokenLife is how long a token is valid after it was used last, maxTokens how many there are at most, and maxOwnTokens
// how many a person has.
const (
	tokenLife    = 24 * time.Hour
	maxTokens    = maxOwnTokens * maxPeople
	maxOwnTokens = 4
)

// projector is the name of browsers that watch.
const projector = "projector"

// ErrToken is why somebody cannot come back without a code.
var ErrToken = errors.New("this visit is over; join again")

// give makes a token of a person.
func (t *tokens) give(p *Person) string {
	text := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[[sha256.Size]byte]token{}
	}
	var oldest [sha256.Size]byte
	count := 0
	for k, known := range t.by {
		switch {
		case time.Now().After(known.until):
			delete(t.by, k)
		case known.person.Name == p.Name:
			count++
			if count == 1 || known.until.Before(t.by[oldest].until) {
				oldest = k
			}
		}
	}
	if count >= maxOwnTokens {
		delete(t.by, oldest)
	}
	if len(t.by) < maxTokens {
		t.by[sha256.Sum256([]byte(text))] = token{p, time.Now().Add(tokenLife)}
	}
	return text
}

// take is the person with a token, which stays valid.
func (t *tokens) take(text string) (*Person, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := sha256.Sum256([]byte(text))
	known, ok := t.by[key]
	if !ok || time.Now().After(known.until) {
		return nil, ErrToken
	}
	known.until = time.Now().Add(tokenLife)
	t.by[key] = known
	return known.person, nil
}

// drop ends the tokens of a person.
func (t *tokens) drop(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.by, func(_ [sha256.Size]byte, known token) bool { return known.person.Name == name })
}

// Web is the server of terminals in browsers. Behind a proxy it takes the addresses of browsers from the proxy.
func (s *Server) Web(proxy bool, hosts []string) *web.Server {
	return web.New(web.Options{Join: s.joinWeb, Log: s.options.Log, Proxy: proxy, Hosts: hosts})
}

// joinWeb lets a browser join: by a token, or by a name with the join code. A name that somebody has is taken, because
// browsers have no PIN; who has a PIN adds it to the name, as NAME PIN.
func (s *Server) joinWeb(ctx context.Context, h web.Hello) (string, func(context.Context, web.Client) error, error) {
	p, err := s.webPerson(ctx, h)
	if err != nil {
		return "", nil, err
	}
	token := h.Token
	if token == "" {
		token = s.tokens.give(p)
	}
	return token, func(ctx context.Context, c web.Client) error {
		s.options.Log.Info("joined", "name", p.Name, "address", h.Remote, "via", sessions.ViaWeb)
		defer s.options.Log.Info("left", "name", p.Name, "address", h.Remote)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		return s.Serve(ctx, p, Terminal{In: c.In, Out: ssh.NewPtyWriter(c.Out), Environment: []string{"TERM=xterm-256color", "COLORTERM=truecolor"},
			Width: c.Cols, Height: c.Rows, Sizes: resized(ctx, c.Sizes), Dark: c.Dark, Via: sessions.ViaWeb,
			Watching: h.Watch, End: cancel})
	}, nil
}

func (s *Server) webPerson(ctx context.Context, h web.Hello) (*Person, error) {
	if h.Token != "" {
		return s.tokens.take(h.Token)
	}
	teacher, err := s.people.role(h.Code)
	if err != nil {
		return nil, err
	}
	name, pin, hasPIN := strings.Cut(strings.ToLower(strings.TrimSpace(h.Name)), " ")
	switch {
	case h.Watch:
		return &Person{Name: projector}, nil
	case hasPIN:
		return s.byPIN(ctx, name, pin, teacher)
	}
	return s.byName(ctx, name, teacher) // the token brings the person back
}

// resized are the sizes of a browser's terminal, as messages.
func resized(ctx context.Context, from <-chan web.Size) <-chan tea.WindowSizeMsg {
	return translated(ctx, from, func(s web.Size) tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: s.Cols, Height: s.Rows} })
}

// translated passes values on as others, until the context or the values end.
func translated[From, To any](ctx context.Context, from <-chan From, as func(From) To) <-chan To {
	updates := make(chan To)
	go func() {
		defer close(updates)
		for {
			select {
			case v, ok := <-from:
				if !ok {
					return
				}
				select {
				case updates <- as(v):
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return updates
}
