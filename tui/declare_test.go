package tui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/rights"
)

// Who knows nothing but the keys that are shown gets from the first screen to the first suggestion for an experiment of
// their own; what was typed stays when the form is left.
func TestDeclaredAndAsked(t *testing.T) {
	t.Chdir(t.TempDir())
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir()), FrontDoor: true}, 80, 24)
	w.press("experiment")
	w.shows("a new experiment")
	send := func(hint string) {
		t.Helper()
		for n := 0; !strings.Contains(w.text(), hint); n++ {
			if w.press("tab"); n > 50 {
				t.Fatalf("no field says %q", hint)
			}
		}
	}
	w.types("oven\n\n\n\n\n\n\nheat")
	send("unit of heat")
	w.types("°C")
	send("The lower bound.")
	w.types("150")
	w.press("esc")
	w.shows("forrester")
	w.press("o")
	for !strings.Contains(w.text(), "declare variables") {
		w.press("tab")
	}
	w.press("enter")
	w.shows("what you typed is still here")
	w.shows("oven")
	send("The upper bound.")
	w.types("250")
	send("The name of the objective.")
	w.types("crust\nma")
	send("Press enter to add an objective.")
	w.types("colour\nmi")
	w.press("ctrl+s", "enter")
	w.shows("oven 1-D")
	w.press("space")
	w.shows("press enter to report its results")
	st := w.a.explore.Session().State()
	if st.Config.Experiment == nil || len(st.Pending) != 1 {
		t.Fatalf("%d points are out of %+v", len(st.Pending), st.Config)
	}
	if x := st.Pending[0].Points[0].X[0]; x < 150 || x > 250 {
		t.Errorf("the first point is %g", x)
	}
	w.press("experiment")
	w.shows("a new experiment like oven")
	w.press("?") // is text
	w.shows("oven?")
	w.press("f1")
	w.shows("In this form")
}

// The screen on which sessions are opened leads to the form, which is filled where the session is about an experiment.
func TestOpenLeadsToTheForm(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "random"}.WithExperiment("../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 120, 36)
	for keys, want := range map[string]string{
		"enter": "╭─ a new experiment ──", "down enter": "╭─ a new experiment like espresso ──"} {
		w.press("o")
		for !strings.Contains(w.text(), "declare variables") {
			w.press("tab")
		}
		w.press(strings.Fields(keys)...)
		w.shows(want)
		w.press("esc")
	}
}
