package acts

import (
	"strings"
	"testing"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// twoObjectives is a session on an experiment of two objectives in which one result is reported.
func twoObjectives(t *testing.T) *sessions.Session {
	t.Helper()
	d := &experiment.Declaration{Name: "espresso",
		Variables: functions.Domain{{Name: "dose", Low: 14, High: 20, Unit: "g"}, {Name: "time", Low: 20, High: 40}},
		Objectives: []functions.Objective{{Name: "extraction", Direction: functions.Maximize, Unit: "%",
			Range: &[2]float64{14, 24}}, {Name: "bitterness", Direction: functions.Minimize}}}
	s := start(t, sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "random"})
	if _, err := s.Record(sessions.ByPerson, [][]float64{{16, 30}},
		functions.Outcome{Values: []float64{18, 3}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Each change of an objective does what it says, and what cannot be done says what would be right; then nothing is
// recorded.
func TestObjective(t *testing.T) {
	for _, c := range []struct {
		o     ObjectiveArgs
		said  string
		wrong string
	}{
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "maximize", Range: "0, 5", Unit: "points",
			Noise: "0.5"}, said: "body is an objective from now on; report it for 1 earlier result"},
		{o: ObjectiveArgs{Change: DropObjective, Name: "bitterness"}, said: "stay on record"},
		{o: ObjectiveArgs{Change: ReverseObjective, Name: "extraction"},
			said: "from now on: minimize extraction (%), expected from 14 to 24"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "bitterness", Range: "0,10", Noise: "0.25"},
			said: "minimize bitterness, expected from 0 to 10, noise 0.25"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Range: "none"},
			said: "from now on: maximize extraction (%)"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Noise: "1e-9"},
			said: "expected from 14 to 24, noise 1e-9"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Scale: "log"},
			said: "expected from 14 to 24, log scale"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "bitterness", Scale: "log"},
			wrong: "a logarithmic scale needs a range"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "bitterness", Scale: "logs"}, wrong: "did you mean log"},
		{o: ObjectiveArgs{Change: DropObjective, Name: "bitterness", Scale: "log"}, wrong: "expect changes them"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: " 0.5 "}, said: "worthwhile improvement 0.5 %"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "1e6"}, said: "worthwhile improvement 1000000 %"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "0"},
			wrong: "the worthwhile improvement must be a positive number"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "-2"}, wrong: "must be a positive number"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "2 %"}, wrong: "must be a positive number"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "1e400"}, wrong: "must be a positive number"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "extraction", Worthwhile: "inf"}, wrong: "must be a positive number"},
		{o: ObjectiveArgs{Change: DropObjective, Name: "extraction", Worthwhile: "2"}, wrong: "expect changes them"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "bitterness", AtMost: "6"}, said: "bitterness ≤ 6 from now on"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "temperature", AtMost: "96", AtLeast: "88", Unit: "°C"},
			said: "temperature 88 to 96 °C is a limit from now on; report it for 1 earlier result"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "bitterness"}, wrong: "which limit?"},
		{o: ObjectiveArgs{Change: LimitObjective, AtMost: "6"}, wrong: "needs a name"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "bitterness", AtMost: "six"}, wrong: "a limit is a number, or none"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "bitterness", AtMost: "none"}, wrong: "these limits are already set"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "bitterness", AtMost: "1", AtLeast: "2"},
			wrong: "at_least must be less than at_most"},
		{o: ObjectiveArgs{Change: LimitObjective, Name: "temperature", AtMost: "96", Method: "pesmo"},
			wrong: "pesmo does not support limits"},
		{o: ObjectiveArgs{Change: ReverseObjective, Name: "bitterness", AtMost: "6"}, wrong: "limit changes them"},
		{o: ObjectiveArgs{Change: "ad", Name: "body"}, wrong: "did you mean add"},
		{o: ObjectiveArgs{Change: AddObjective}, wrong: "needs a name"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body"}, wrong: "minimize or maximize"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "up"}, wrong: `got "up"`},
		{o: ObjectiveArgs{Change: AddObjective, Name: "bitterness", Direction: "minimize"}, wrong: "already"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "dose", Direction: "minimize"}, wrong: "dose"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "minimize", Range: "5,0"}, wrong: "range"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "minimize", Range: "5"}, wrong: "two numbers"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "minimize", Range: "0,NaN"},
			wrong: "not a finite number"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "minimize", Noise: "0"}, wrong: "positive"},
		{o: ObjectiveArgs{Change: AddObjective, Name: "body", Direction: "minimize", Method: "gp-ei"}, wrong: "gp-ei"},
		{o: ObjectiveArgs{Change: DropObjective, Name: "biterness"}, wrong: "did you mean bitterness"},
		{o: ObjectiveArgs{Change: ReverseObjective, Name: "bitterness", Range: "0,10"}, wrong: "expect changes them"},
		{o: ObjectiveArgs{Change: ReverseObjective, Name: "bitterness", Direction: "maximize"},
			wrong: "reverse changes a direction"},
		{o: ObjectiveArgs{Change: ExpectObjective, Name: "bitterness"}, wrong: "what do you expect"},
	} {
		s := twoObjectives(t)
		before := s.State()
		apply, err := c.o.Apply(s)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) || s.State().Head != before.Head {
				t.Errorf("%+v: %q, %v; want %q", c.o, apply, err, c.wrong)
			}
		case err != nil || !strings.Contains(apply, c.said) || s.State().Head == before.Head:
			t.Errorf("%+v: %q, %v; want %q", c.o, apply, err, c.said)
		}
	}
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "random"})
	name := s.State().Problem.Objectives[0].Name
	if _, err := (ObjectiveArgs{Change: ReverseObjective, Name: name}).Apply(s); err == nil ||
		!strings.Contains(err.Error(), "test function") {
		t.Errorf("of a test function: %v", err)
	}
}

// Several variables are narrowed at once, or none.
func TestNarrow(t *testing.T) {
	s := twoObjectives(t)
	text, err := narrowWords(t, s, "dose=15..18 time=30")
	if want := "dose stays within [15, 18] from now on; time is pinned at 30 from now on"; err != nil ||
		text != want {
		t.Errorf("%q, %v", text, err)
	}
	if b := s.State().Bounds; b[0].Low != 15 || b[0].High != 18 || b[1].Low != 30 || b[1].High != 30 {
		t.Errorf("%+v", b)
	}
	if text, err := narrowWords(t, s, "time=free"); err != nil ||
		text != "time has its whole domain again" || s.State().Bounds[1].High != 40 {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := narrowWords(t, s, "dose=15..18,0.5"); err != nil ||
		text != "dose stays within [15, 18] in steps of 0.5 from now on" || s.State().Problem.Domain[0].Step != 0.5 {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := narrowWords(t, s, "dose=15.2..18,0"); err != nil ||
		text != "dose stays within [15.2, 18] without steps from now on" || s.State().Problem.Domain[0].Step != 0 {
		t.Errorf("%q, %v", text, err)
	}
	head := s.State().Head
	for words, want := range map[string]string{
		"dose=16..17 time=1..99": "[20, 40]", "dose=a": `dose must be a number, got "a"`, "dose=": "dose must be a number",
		"dose=1..2..3": "dose must be a number", "dose=14..18,x": "the step of dose must be a number",
		"dose=14..18,3": "dose must be 14 plus a multiple of its step 3, such as 17 or 20, got 18", "doze=free": `no variable "doze"`,
		"dose=18..15": "the lower one first"} {
		if _, err := narrowWords(t, s, words); err == nil ||
			!strings.Contains(err.Error(), want) || s.State().Head != head {
			t.Errorf("%s: %v, want %q", words, err, want)
		}
	}
}

// narrowWords narrows variables as they are typed.
func narrowWords(t *testing.T, s *sessions.Session, words string) (string, error) {
	bounds := map[string]Bounds{}
	for _, w := range strings.Fields(words) {
		name, text, _ := strings.Cut(w, "=")
		bounds[name] = ParseBounds(text)
	}
	return SetArgs{Narrow: bounds, Reason: "the grinder"}.Apply(t.Context(), s)
}
