package modes

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/widget"
)

// espresso is a session on an experiment of two objectives.
func espresso(t *testing.T) *sessions.Session {
	t.Helper()
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random"}.WithExperiment(
		"../../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	return modetest.Session(t, cfg, 0)
}

// typed presses keys by their names, and does what is wanted on the session; ' begins a word that is typed.
func typed(t *testing.T, s *sessions.Session, l *ObjectivesMode, keys string) (all []widget.Action) {
	t.Helper()
	for name := range strings.FieldsSeq(keys) {
		var got []widget.Action
		if word, ok := strings.CutPrefix(name, "'"); ok {
			got = modetest.Type(l, modetest.Scene(s), word)
		} else {
			got = modetest.Take(l, modetest.Scene(s), screentest.Key(name))
		}
		for _, a := range got {
			all = append(all, a)
			if alter, ok := a.(ChangeObjective); ok {
				_, err := alter.Do(t.Context(), s, nil)
				if err != nil {
					all = append(all, mode.Say{Text: err.Error(), Bad: true})
				}
				all = append(all, modetest.Take(l, modetest.Scene(s), mode.Changed{Err: err})...)
			}
		}
	}
	return all
}

// Each key does what it says; what is wrong is said, and nothing is changed by it.
func TestObjectiveKeys(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		want       string // the objectives then
		says       string // some of the last sentence
	}{
		{"added", "insert 'body tab right tab 'points tab '0,5 tab tab '0.5 ctrl+s",
			"maximize extraction; minimize bitterness; maximize body 0..5 ±0.5", ""},
		{"added by enter alone", "insert 'body enter enter enter enter enter enter enter enter",
			"maximize extraction; minimize bitterness; minimize body", ""},
		{"with another method", "insert 'body shift+tab right ctrl+s",
			"maximize extraction; minimize bitterness; minimize body", ""},
		{"without a name", "insert ctrl+s", "maximize extraction; minimize bitterness", "needs a name"},
		{"of a variable's name", "insert 'dose ctrl+s", "maximize extraction; minimize bitterness", "dose"},
		{"mended", "insert 'dose ctrl+s backspace backspace 'k ctrl+s",
			"maximize extraction; minimize bitterness; minimize dok", "dose"},
		{"no range", "insert 'body tab tab tab '5 ctrl+s", "maximize extraction; minimize bitterness", "two numbers"},
		{"left", "insert 'body esc esc", "maximize extraction; minimize bitterness", ""},
		{"turned", "down right", "maximize extraction; maximize bitterness", ""},
		{"dropped", "down delete delete", "maximize extraction", "again to drop bitterness"},
		{"not sure", "down delete up delete", "maximize extraction; minimize bitterness", "again to drop extraction"},
		{"the only one", "delete delete delete", "minimize bitterness", "the only objective"},
		{"expected", "down enter backspace backspace '8 tab tab backspace backspace backspace backspace '0.25 enter enter",
			"maximize extraction; minimize bitterness 0..8 ±0.25", ""},
		{"not expected any more", "enter backspace backspace backspace backspace backspace backspace 'none ctrl+s",
			"maximize extraction; minimize bitterness", ""},
		{"by factors", "down enter backspace backspace backspace backspace backspace '0.1,10 tab right ctrl+s",
			"maximize extraction; minimize bitterness 0.1..10 by factors", ""},
		{"by factors from 0", "down enter tab right ctrl+s", "maximize extraction; minimize bitterness", "above 0"},
		{"as it is", "enter ctrl+s", "maximize extraction; minimize bitterness", "already declared this way"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, l := espresso(t), &ObjectivesMode{}
			if got := modetest.Start(l, modetest.Scene(s)); !reflect.DeepEqual(got,
				[]widget.Action{mode.Enter{Mode: l}}) {
				t.Fatalf("it starts with %+v", got)
			}
			text := ""
			for _, a := range typed(t, s, l, c.keys) {
				if say, ok := a.(mode.Say); ok {
					text = say.Text
				}
			}
			assert.Equal(t, c.want, declared(s.State(), strings.Contains(c.want, "..")), "the objectives")
			if !strings.Contains(text, c.says) || c.says == "" && text != "" {
				t.Errorf("it says %q, want %q", text, c.says)
			}
			for w := 20; w < 90; w += 23 {
				for h := 2; h < 30; h += 5 {
					explained.Check(t, c.name, l.Panel(modetest.Scene(s), w, h), w, h)
				}
			}
		})
	}
}

// declared are the objectives in words; of what is expected that of the last one, where it is asked for.
func declared(st sessions.State, expects bool) string {
	var parts []string
	for k, o := range st.Problem.Objectives {
		text := string(o.Direction) + " " + o.Name
		if expects && k == len(st.Problem.Objectives)-1 {
			if o.Range != nil {
				text += " " + widget.Number(o.Range[0]) + ".." + widget.Number(o.Range[1])
			}
			if o.Scale == functions.Log {
				text += " by factors"
			}
			if o.Noise > 0 {
				text += " ±" + widget.Number(o.Noise)
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// What holds the objectives is said with what lets them go.
func TestHeld(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3, Optimizer: "mobo-rs-ts"}.WithExperiment(
		"../../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s := modetest.Session(t, cfg, 0)
	prior, _ := s.State().Params.ByRole(optimizers.RolePrior)
	require.NoError(t, s.Edit(prior.Key, "dirichlet(2)"))
	_, err = ChangeObjective{acts.ObjectiveArgs{Change: acts.ReverseObjective, Name: "bitterness"}}.Do(t.Context(), s,
		nil)
	if err == nil || !strings.Contains(err.Error(), "the prior over weights") ||
		!strings.Contains(err.Error(), "e to edit the prior") {
		t.Error(err)
	}
}

// A test function has its objectives; the list of an experiment tells all of each.
func TestShown(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random"}, 0)
	if got := modetest.Start(NewObjectivesMode(), modetest.Scene(s)); !reflect.DeepEqual(got,
		[]widget.Action{mode.Say{Text: sessions.ErrFixedObjectives.Error()}}) {
		t.Errorf("%+v", got)
	}
	l := &ObjectivesMode{}
	scene := modetest.Scene(espresso(t))
	modetest.Start(l, scene)
	shown := modetest.Text(l.Panel(scene, 60, 20))
	for _, want := range []string{"▸ extraction (%)", "expected 14 to 24, noise 0.3", "minimize"} {
		assert.Contains(t, shown, want, "%q is not in\n%s", want, shown)
	}
	modetest.Press(l, scene, "insert", "tab")
	if shown := modetest.Text(l.Panel(scene, 60, 20)); !strings.Contains(shown, "< minimize >") {
		t.Errorf("the form:\n%s", shown)
	}
}
