package open

import (
	"os"
	"strings"
	"testing"

	"bandscope/sessions/study"
	"bandscope/sessions/study/engine"
	"bandscope/sessions/study/store"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/press"
	"bandscope/tui/screen"
)

// Studies are listed, those that were begun before those that are built in, with what they ask and how far they are; enter opens one.
func TestStudiesAreListed(t *testing.T) {
	path, err := store.Default("mine")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(path) })
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	d := &study.Declaration{Name: "mine", Title: "what a kernel is worth", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 3, Budget: "2"}
	if err := engine.Submit(t.Context(), st, d); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	m := model(t)
	m.AmongStudies()
	m.Resize(140, 36)
	settle(m, m.Init())
	settle(m, m.peek())
	s := text(m)
	for _, want := range []string{"mine", "thesis-4.1", "what a kernel is worth", "0 of 3 cells done", "1 problem × 1 method × 3 seeds"} {
		if !strings.Contains(s, want) {
			t.Errorf("the list does not show %q:\n%s", want, s)
		}
	}
	if strings.Index(s, "mine") > strings.Index(s, "bbob") {
		t.Error("what was begun does not come first")
	}
	explained.Check(t, "studies", m, m.Render(), nil)
	for _, k := range press.Text("4.1") {
		settle(m, m.Update(k))
	}
	if s := text(m); !strings.Contains(s, "results are published with") {
		t.Errorf("it is not said that results are published:\n%s", s)
	}
	if sent := m.pick()(); sent != (screen.ActionMsg{Action: screen.Study{Name: "thesis-4.1"}}) {
		t.Errorf("enter asks for %v", sent)
	}
}
