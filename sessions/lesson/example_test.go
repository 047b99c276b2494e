package lesson

import "testing"

// The example can be performed as it stands.
func TestExample(t *testing.T) {
	s, err := ReadScript(Example, nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.Perform(t.Context(), nil)
	if err != nil || len(made.Timeline().Stops) != 6 {
		t.Errorf("%v, %d pages", err, len(made.Timeline().Stops))
	}
}
