package librarypage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/library"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/widget"
)

// Studies are listed, those that were begun before those that are built in, with what they ask and how far they are;
// enter opens one.
func TestStudiesAreListed(t *testing.T) {
	st, _ := mine(t)
	require.NoError(t, st.Close())
	m := model(t)
	m.ShowStudies()
	m.Resize(140, 36)
	settle(m, m.Init())
	settle(m, m.loadPreview())
	s := text(m)
	for _, want := range []string{
		"mine", "thesis-4.1", "what a kernel is worth", "0 of 3 cells done", "1 problem × 1 method × 3 seeds"} {
		assert.Contains(t, s, want, "the list does not show %q:\n%s", want, s)
	}
	if strings.Index(s, "mine") > strings.Index(s, "bbob") {
		t.Error("what was begun does not come first")
	}
	explained.Check(t, "studies", m.Frame(), m.Width, m.Height)
	for _, k := range screentest.Text("4.1") {
		settle(m, m.Update(k))
	}
	if s := text(m); !strings.Contains(s, "published results come with") {
		t.Errorf("the preview does not say that results are published:\n%s", s)
	}
	if sent := m.pick()(); sent != (widget.ActionMsg{Action: widget.Study{Name: "thesis-4.1"}}) {
		t.Errorf("enter asks for %v", sent)
	}
}

// mine is a study of three cells that was begun, and its file.
func mine(t *testing.T) (*store.Store, string) {
	t.Helper()
	path, err := store.PathIn(library.DefaultStudiesDir(), "mine")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(path)) })
	st, err := store.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { st.Close() })
	d := &study.Declaration{Name: "mine", Title: "what a kernel is worth", Problems: []string{"forrester"},
		Methods: []string{"random"}, Seeds: 3, Budget: "2"}
	require.NoError(t, worker.Submit(t.Context(), st, d))
	return st, path
}

// A study that was begun is deleted where nobody has it open, and brought back whole. Of one that was not begun there
// is nothing to delete.
func TestStudiesAreDeleted(t *testing.T) {
	st, path := mine(t)
	m := model(t)
	m.ShowStudies()
	settle(m, m.Init())
	if it, _ := m.on(fieldStudies); it.value != "mine" {
		t.Fatalf("the first is %q", it.value)
	}
	ctrl := func(r rune) { settle(m, m.Update(tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl})) }
	here := func() bool { _, err := os.Stat(path); return err == nil }
	ctrl('d')
	if s := text(m); !here() || !strings.Contains(said(m), "the study mine is in use") ||
		!strings.Contains(s, "0 of 3 cells done") {
		t.Errorf("while it is open: here %v, said %q\n%s", here(), said(m), s)
	}
	require.NoError(t, st.Close())
	for _, k := range screentest.Text("min") {
		settle(m, m.Update(k))
	}
	if ctrl('d'); here() || !strings.Contains(said(m), "ctrl+u restores it") ||
		m.inputs[fieldStudies].Value() != "" {
		t.Errorf("here %v, said %q", here(), said(m))
	}
	it, _ := m.on(fieldStudies)
	if ctrl('d'); it.path != "" || !strings.Contains(said(m), "nothing to delete") {
		t.Errorf("of %+v is said %q", it, said(m))
	}
	if ctrl('u'); !here() {
		t.Errorf("it is not back: %q", said(m))
	}
	if it, _ := m.on(fieldStudies); it.value != "mine" || !strings.Contains(text(m), "0 of 3 cells done") {
		t.Errorf("on %q:\n%s", it.value, text(m))
	}
	if ctrl('u'); !strings.Contains(said(m), "nothing was deleted") {
		t.Errorf("said %q", said(m))
	}
	if ctrl('y'); !strings.Contains(said(m), "only for saved sessions") {
		t.Errorf("of a copy is said %q", said(m))
	}
}
