package guide_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/acts"
)

// request is a line of JSON for bandscope pipe in a document.
var request = regexp.MustCompile(`\{\s*"(?:id|act|session|ask|tell|add|status)"[^\n]*\}`)

// Every request in the guides follows the schema that bandscope schema prints.
func TestRequestsFollowTheSchema(t *testing.T) {
	schema, err := acts.Schema().CloneSchemas().Resolve(&jsonschema.ResolveOptions{})
	require.NoError(t, err)
	found := 0
	for path, text := range documents(t) {
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "pipe") && !strings.Contains(line, `"act"`) {
				continue
			}
			for _, single := range request.FindAllString(line, -1) {
				var v any
				single = strings.ReplaceAll(single, `\"`, `"`)
				if json.Unmarshal([]byte(single), &v) != nil {
					continue // a part of a longer line of shell
				}
				found++
				assert.NoError(t, schema.Validate(v), "%s: %s", path, single)
			}
		}
	}
	if found < 1 {
		t.Error("no document has a request")
	}
}
