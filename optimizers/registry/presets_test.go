package registry

import (
	"testing"

	"bandscope/optimizers/param"
)

func TestPresetsAreValid(t *testing.T) {
	titles := map[string]bool{}
	for _, p := range Presets() {
		spec, err := Find(p.Method)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := param.Defaults(spec.ParamsForInputs(1, 1)).WithAll(p.Set); err != nil {
			t.Errorf("%s: %v", p.Title, err)
		}
		if p.About == "" {
			t.Errorf("%s says nothing about itself", p.Title)
		}
		if titles[p.Title] {
			t.Errorf("two presets are called %s", p.Title)
		}
		titles[p.Title] = true
	}
}
