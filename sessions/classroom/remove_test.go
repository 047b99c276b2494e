package classroom

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// People who did nothing are removed, and the answers, evaluations and steps of the others stay theirs, also in the
// file. Their places and pseudonyms are free again.
func TestRemove(t *testing.T) {
	c := started(t, 6)
	number, err := c.Ask(prompt)
	do(t, err)
	do(t, c.Answer(number, person(3), Value{Choice: 2}), c.Record(person(4), LessonStep{Lesson: "first", Page: 2, Pages: 9}))
	race, err := c.StartRace(RaceConfig{Function: "forrester", Seed: 3, Budget: 5})
	do(t, err)
	q, err := c.State().Question(number)
	do(t, err)
	assert.True(t, q.Closed, "a race leaves the question open")
	_, _, err = c.Evaluate(race, person(5), []float64{0.4})
	do(t, err)
	before := c.State()
	teacher := slices.IndexFunc(before.People, func(p Person) bool { return p.Role == Teacher })
	ids := []string{before.People[teacher].ID, "nobody"}
	for i := range 7 {
		ids = append(ids, person(i))
	}
	do(t, c.Remove(ids), c.Remove(ids))
	check := func(st State) {
		t.Helper()
		var left []string
		for _, p := range st.People {
			left = append(left, p.ID)
		}
		if want := []string{before.People[teacher].ID, person(3), person(4), person(5)}; !slices.Equal(left, want) {
			t.Fatalf("%q are left, want %q", left, want)
		}
		if v, ok := st.Own(number, person(3)); !ok || v.Choice != 2 || !st.Answered(number)[person(3)] {
			t.Errorf("the answer is %v, %v", v, ok)
		}
		if n := len(st.Evaluations(race, person(5))); n != 1 {
			t.Errorf("%d evaluations", n)
		}
		if r := st.Progress().Readings; len(r) != 1 || st.People[r[0].Person].ID != person(4) {
			t.Errorf("the readings are %+v", r)
		}
	}
	check(c.State())
	assert.Equal(t, 7, len(before.People), "an earlier state has changed")
	path := filepath.Join(t.TempDir(), "class.jsonl")
	do(t, c.SaveAs(path))
	again, err := OpenReadOnly(t.Context(), path)
	do(t, err)
	check(again.State())
	for i := range maxPeople {
		_, err := c.Join(fmt.Sprintf("new%d", i), Student)
		if full := i >= maxPeople-4; (err != nil) != full {
			t.Fatalf("person %d: %v", i, err)
		}
	}
}
