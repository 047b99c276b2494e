package widget

import (
	"bytes"
	"os"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page is a terminal's output, which says when it is drawn on.
type page struct {
	mu    sync.Mutex
	text  bytes.Buffer
	drawn chan struct{}
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Write(b)
	if bytes.Contains(p.text.Bytes(), []byte("here I am")) {
		p.text.Reset()
		select {
		case p.drawn <- struct{}{}:
		default:
		}
	}
	return len(b), nil
}

type standing struct{}

func (standing) Init() tea.Cmd { return nil }
func (s standing) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if use, ok := msg.(func() error); ok {
		return s, ReleaseTerminal(use, nil)
	}
	return s, nil
}
func (standing) View() tea.View {
	v := tea.NewView("here I am")
	v.AltScreen = true
	return v
}

// TestLend lends the terminal for a moment, again and again; each time the screen is drawn anew. Where Lend does not
// wait, it soon is drawn no more.
func TestLend(t *testing.T) {
	out := &page{drawn: make(chan struct{}, 1)}
	keys, typed, err := os.Pipe()
	require.NoError(t, err)
	defer keys.Close()
	defer typed.Close()
	p := tea.NewProgram(standing{}, tea.WithInput(keys), tea.WithOutput(out), tea.WithWindowSize(20, 5),
		tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	await := func(n int) {
		t.Helper()
		select {
		case <-out.drawn:
		case <-time.After(20 * time.Second):
			t.Fatalf("the screen is not drawn after %d loans", n)
		}
	}
	await(0)
	for n := range 20 {
		p.Send(func() error {
			select {
			case <-out.drawn: // by the last frame before
			default:
			}
			return nil
		})
		await(n + 1)
	}
	p.Quit()
	assert.NoError(t, <-ended)
}
