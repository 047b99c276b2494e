package encoding_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/encoding"
)

func mixed() functions.Domain {
	return functions.Domain{{Name: "temperature", Low: 20, High: 100}, functions.NewOrdered("loading", 0.5, 1, 2.5),
		{Name: "portions", Low: 1, High: 6, Kind: functions.Integer},
		functions.NewChoice("solvent", "toluene", "DMF", "water")}
}

func TestThereAndBack(t *testing.T) {
	d, x := mixed(), []float64{0.1 + 0.2 + 60, 2.5, 3, 2}
	text, err := json.Marshal(encoding.EncodeMap(d, x))
	if want := `{"loading":2.5,"portions":3,"solvent":"water","temperature":60.3}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s (%v)", text, want, err)
	}
	var back map[string]encoding.Value
	require.NoError(t, json.Unmarshal(text, &back))
	read, err := encoding.DecodeMap(d, back)
	if want := map[string]float64{
		"temperature": x[0], "loading": 2.5, "portions": 3, "solvent": 2}; err != nil || !maps.Equal(read, want) {
		t.Errorf("%v, want %v (%v)", read, want, err)
	}
	if got, err := encoding.Parse(d, "60.3, 2.5,3,water"); err != nil ||
		encoding.FormatRow(d, got) != "60.3, 2.5, 3, water" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWrongValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"solvent":1}`:        `no solvent "1"; there are toluene, DMF, water`,
		`{"solvent":"watre"}`:  `no solvent "watre"; did you mean water?`,
		`{"portions":"three"}`: `portions must be a number, got "three"`,
		`{"solvnt":"water"}`:   `no variable "solvnt"; did you mean solvent?`,
		`{"solvent":null}`:     "null is not a value",
		`{"solvent":[1]}`:      "cannot unmarshal array",
	} {
		var values map[string]encoding.Value
		err := json.Unmarshal([]byte(text), &values)
		if err == nil {
			_, err = encoding.DecodeMap(mixed(), values)
		}
		assert.ErrorContains(t, err, want, "%s: %v, want %q", text, err, want)
	}
	for text, want := range map[string]string{
		"60,1,3": "input must have 4 values", "60,1,3,1": `no solvent "1"`,
		"60,1,2.5,DMF": "portions must be a whole number", "60,0.7,2,DMF": "loading must be one of 0.5, 1, 2.5"} {
		if _, err := encoding.Parse(mixed(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	v := functions.NewChoice("base", "K2CO3", "K3PO4", "none at all", "none")
	for text, want := range map[string]string{
		"": "", "k": "k", "k2": "K2CO3", "none": "none", "None A": "none at all", "water": "water"} {
		assert.Equal(t, want, encoding.Complete(v, text), "%q becomes", text)
	}
}

func TestExtent(t *testing.T) {
	d := mixed()
	d[1].High, d[3].Low, d[3].High = 1, 1, 1
	for j, want := range []string{"from 20 to 100", "one of 0.5, 1", "a whole number from 1 to 6", "pinned at DMF"} {
		assert.Equal(t, want, encoding.FormatRange(d[j]), d[j].Name)
	}
	assert.Equal(t, "one of toluene, DMF, water", encoding.FormatRange(mixed()[3]))
}
