package explore

import (
	"fmt"
	"strings"
	"testing"
)

// The task of an exercise and its goals stay in sight while a parameter is edited, at every size, with the parameter
// and its value.
func TestTheTaskStaysWhileAParameterIsEdited(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 60}} {
		d := driveSession(t, exercised(t, 4), size[0], size[1], trueColor)
		d.Press("e")
		text := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╭", " ", "╰", " ").Replace(d.Text())), " ")
		for _, want := range []string{"Bring the simple regret", "Goals (all must hold)", "▸kernel",
			"one of matern52, se"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %v there is no %q:\n%s", size, want, d.Text())
			}
		}
		d.told(t, fmt.Sprint("the exercise is edited at ", size))
	}
}
