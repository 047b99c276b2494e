package sessions

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// Methods see which results were imported together, without failed ones; a result of the session ends a range.
func TestRangesOfImports(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	record := func(author string, values ...float64) {
		t.Helper()
		for _, y := range values {
			if _, err := s.Record(author, [][]float64{{0.5}}, worth(y)); err != nil {
				t.Fatal(err)
			}
		}
	}
	record(ByImport, 1, 2)
	if _, err := s.Record(ByImport, [][]float64{{0.25}}, functions.Outcome{Reason: "it broke"}); err != nil {
		t.Fatal(err)
	}
	record(ByImport, 3)
	record(ByPerson, 4, 5)
	record(ByImport, 6)
	if got, want := s.State().Input().Data.Imports, [][2]int{{0, 3}, {5, 6}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the imports are %v, want %v", got, want)
	}
	require.NoError(t, s.Correct(2, 0, nil, "of another batch"))
	if got, want := s.State().Input().Data.Imports, [][2]int{{0, 2}, {4, 5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("after one was withdrawn the imports are %v, want %v", got, want)
	}
}
