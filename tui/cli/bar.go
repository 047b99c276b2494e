package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// progressText is the current task with its progress.
func progressText(subject string, done, total int) string {
	if total > 0 {
		return fmt.Sprintf("%s %d/%d", subject, done, total)
	}
	return subject
}

// progressBar is a progress bar on a terminal; elsewhere it shows nothing. It may be used from several goroutines.
type progressBar struct {
	mu    sync.Mutex
	w     io.Writer // nil where it is no terminal
	plain io.Writer // the same stream, also if it is not a terminal
	model progress.Model
	shown time.Time
}

func newBar(w io.Writer) *progressBar {
	if !isTerminal(w) {
		return &progressBar{plain: w}
	}
	return &progressBar{plain: w, w: colorprofile.NewWriter(w, os.Environ()),
		model: progress.New(progress.WithWidth(32), progress.WithoutPercentage())}
}

// newProgress shows how far something is, where errs is a terminal, until done is called.
func newProgress(errs io.Writer) (progress sessions.Progress, done func()) {
	bar := newBar(errs)
	return func(subject string, done, total int) { bar.Show(done, total, sanitize.Text(subject)) }, bar.Clear
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// Show draws the bar, at most ten times a second.
func (b *progressBar) Show(done, total int, subject string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w == nil || time.Since(b.shown) < 100*time.Millisecond {
		return
	}
	b.shown = time.Now()
	fmt.Fprintf(b.w, "\r\x1b[K%s %d/%d %s", b.model.ViewAs(float64(done)/float64(max(total, 1))), done, total, subject)
}

// Print writes a line above the bar.
func (b *progressBar) Print(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w != nil {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.shown = time.Time{}
	fmt.Fprintln(b.plain, sanitize.Redact(line))
}

// Clear removes the bar until it is shown again.
func (b *progressBar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w != nil {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

// onTerminal reports whether a person can see the screen and type.
func onTerminal() bool { return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd()) }

// printLines writes lines, in which nothing drives the terminal.
func printLines(out io.Writer, lines ...string) error {
	for _, l := range lines {
		if _, err := fmt.Fprintln(out, sanitize.Text(l)); err != nil {
			return err
		}
	}
	return nil
}
