package registry

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/param"
)

func TestPresetsAreValid(t *testing.T) {
	titles := map[string]bool{}
	for _, p := range Presets() {
		spec, err := Find(p.Method)
		require.NoError(t, err)
		_, err = param.Defaults(spec.ParamsForInputs(1, 1)).WithAll(p.Set)
		assert.NoError(t, err, p.Title)
		assert.NotEqual(t, "", p.About, "%s says nothing about itself", p.Title)
		if titles[p.Title] {
			t.Errorf("two presets are called %s", p.Title)
		}
		titles[p.Title] = true
	}
}
