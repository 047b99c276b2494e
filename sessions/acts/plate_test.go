package acts_test

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/sessions/acts"
)

// A plate and its block are acts: points have wells, results the name of the plate, and the check the shifts of the
// blocks.
func TestPlateActs(t *testing.T) {
	turn := acts.Turn{Session: begin(t, "mobo-rs-ts")}
	do := func(name, arguments string) map[string]any {
		t.Helper()
		m, err := perform(t, turn, name, arguments)
		if err != nil {
			t.Fatalf("%s %s: %s: %s", name, arguments, err.Code, err.Text)
		}
		return m
	}
	for plate, shift := range []float64{0, 2} {
		m := do("ask", `{"plate": {"size": "2x4", "controls": 1, "control": [{"dose": 15, "time": 25}]}}`)
		points := m["points"].([]any)
		if m["plate"] != fmt.Sprint("plate ", plate+1) || len(points) != 8 || points[0].(map[string]any)["well"] != "A1" {
			t.Fatalf("%v", m)
		}
		for i, p := range points {
			do("tell", fmt.Sprintf(`{"point": %v, "values": {"extraction": %v, "bitterness": %v}}`,
				p.(map[string]any)["point"], 17+shift+0.1*float64(i), 3+0.05*float64(i)))
		}
	}
	do("add", `{"inputs": {"dose": 16, "time": 30}, "values": {"extraction": 19, "bitterness": 4}, "block": "tuesday"}`)
	m := do("results", `{"from": 8}`)
	for i, want := range []string{"plate 1", "plate 2"} {
		if got := m["results"].([]any)[i].(map[string]any)["block"]; got != want {
			t.Errorf("the block is %v, want %s", got, want)
		}
	}
	blocks := do("check", `{}`)["objectives"].([]any)[0].(map[string]any)["blocks"].(map[string]any)
	shifts := blocks["shifts"].([]any)
	single, two := shifts[0].(map[string]any), shifts[1].(map[string]any)
	if len(shifts) != 3 || two["shift"].(float64)-single["shift"].(float64) < 1 || single["results"] != 8. {
		t.Errorf("%v", blocks)
	}
	for arguments, want := range map[string]string{
		`{"plate": {"controls": 2}}`:                                      "plate.size is missing",
		`{"plate": {"size": "0x2"}}`:                                      "a plate is ROWSxCOLUMNS, up to 32x48",
		`{"plate": {"size": "2x2", "by": "corner"}}`:                      `no plate.by "corner"`,
		`{"count": 5, "plate": {"size": "2x2"}}`:                          "need 5 wells",
		`{"fixed": [{"dose": 15, "time": 25}], "plate": {"size": "2x2"}}`: "control instead of fixed",
	} {
		if _, err := perform(t, turn, "ask", arguments); err == nil || err.Code != acts.CodeRequest ||
			!strings.Contains(err.Text, want) {
			t.Errorf("%s: %+v, want %q", arguments, err, want)
		}
	}
}
