package tomlfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

type dish struct {
	Name    string               `toml:"name" example:"soup"`
	Guests  uint64               `toml:"guests"`
	Steps   []string             `toml:"steps"`
	Parts   []part               `toml:"part"`
	Oven    *oven                `toml:"oven"`
	Prices  map[string][]float64 `toml:"prices"`
	Rating  *float64             `toml:"rating"`
	Private int                  `toml:"-"`
}

type part struct {
	Grams float64 `toml:"grams" example:"12"`
	Fresh bool    `toml:"fresh"`
}

type oven struct {
	Heat int `toml:"heat"`
}

// Every fault has its line, its column and its key, and says what is right; the rest of the file is read.
func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":         "f: the file is empty",
		"nam = 1":  `f: line 1, column 1: unknown key "nam"; did you mean name?`,
		"zzzz = 1": `f: line 1, column 1: unknown key "zzzz"; the keys are name, guests, steps, part, oven, prices, rating`,
		"guests = 2\n\n[[part]]\ngrams = \"3\"\ngram = 4\n": "f: line 4, column 9: grams must be a number, such as grams = 12; got \"3\"\n" +
			`f: line 5, column 1: unknown key "gram"; did you mean grams?`,
		"steps = [\n  \"a\",\n  2,\n]\nguests = -1": "f: line 3, column 3: steps must be a list of texts in quotes\n" +
			"f: line 5, column 10: guests must be a whole number of at least 0; got -1",
		"[[part]]\nname = \"a\"":       "f: line 2, column 1: name applies to the whole file; put it before the first table",
		"[[oven]]\nheat = 3":           "f: line 1, column 3: oven must be one table that begins with [oven], on its own line",
		"[part]\n[part]":               "f: line 2, column 2: part must be tables; each begins with [[part]], in double brackets, on its own line",
		"part = [{ grams = 1, c = 2}]": `f: line 1, column 22: unknown key "c"; the keys of part are grams, fresh`,
		"prices = 3":                   "f: line 1, column 10: prices must be a table in braces; got 3",
		"[[part]]\nfresh = 1":          "f: line 2, column 9: fresh must be true or false; got 1",
		"rating = \"\u202eabc\"":       "f: line 1, column 10: rating must be a number",
		"name = soup # of the day":     `f: line 1, column 8: name must be text in quotes, such as name = "soup"; got soup`,
		"name = \n":                    "f: line 1, column 8: name must be text in quotes, such as name = \"soup\"; it has no value",
		"\"\\u001b\" = 1\n\"\\u001b\" = 2": "f: line 1, column 1: unknown key \"\\x1b\"; the keys are name, guests, steps, part, oven, prices, rating\n" +
			"f: line 2, column 1: \ufffd is given twice, first in line 1",
		"name = \"a\"\nname = \"b\"": "f: line 2, column 1: name is given twice, first in line 1",
		"name = \"a\x1b\"":           "f: line 1, column 10: invalid TOML: basic strings cannot have control characters",
		"name = \"a\xfe\"":           "f: line 1, column 10: invalid TOML: invalid UTF-8 character in basic string",
	} {
		var d dish
		_, list := Decode([]byte(text), &d)
		err := (&Faults{File: "f", List: list}).ErrorOrNil()
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n%v\nwant\n%s", text, err, want)
		}
	}
	var d dish
	if _, list := Decode([]byte("\ufeffname = 3\r\nguests = 4\r\n"), &d); len(list) != 1 || d.Guests != 4 {
		t.Errorf("%v: %+v", list, d)
	}
	if _, list := Decode(make([]byte, MaxFile+1), &d); len(list) != 1 || !strings.Contains(list[0].Text, "the maximum is 1048576") {
		t.Errorf("%v", list)
	}
}

// A place is where its key is, an item of a list where it begins, and a missing key where its table begins.
func TestPositions(t *testing.T) {
	const text = `name = "a"
steps = [
  "x", # first
  "y",
]
[oven]
heat = 2
[[part]]
[[part]]
  grams = 3
[prices]
a.b = [1]
`
	var d struct {
		dish
		Prices any `toml:"prices"`
	}
	positions, list := Decode([]byte(text), &d)
	if len(list) > 0 {
		t.Fatal(list)
	}
	for place, want := range map[Place]int{
		{Key: "name"}: 1, {Key: "guests"}: 1, {Key: "steps"}: 2, {Table: "steps", Index: 1}: 4, {Table: "steps", Index: 7}: 2,
		{Table: "oven"}: 6, {Table: "oven", Key: "heat"}: 7, {Table: "part", Index: 1, Key: "grams"}: 10,
		{Table: "part", Index: 1, Key: "fresh"}: 9, {Table: "part", Key: "grams"}: 8, {Table: "prices", Key: "a.b"}: 12,
	} {
		assert.Equal(t, want, positions.Line(place), "%+v is in line", place)
	}
	grams := Place{Table: "part", Index: 1, Key: "grams"}
	if positions[grams] != (Position{10, 3}) || !positions.Has(grams) || positions.Has(Place{Table: "part", Key: "grams"}) {
		t.Errorf("%+v", positions)
	}
}

// Whatever the text, it is decoded or its faults are reported, each in a line of the text.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"name = \"a\"\nname = 3", "part = [{grams = 1}]", "[part]\n[part]", "[[part.x]]", "part.grams = 1",
		"steps = [[1], {a = 2}]", "[a.b]\n[[a]]", "oven = {heat = {}}", "\"\" = 1", "prices = { \"\" = [] }", "rating = 1e999"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d dish
		positions, list := Decode(text, &d)
		if positions == nil && list == nil {
			t.Fatal("it is neither read nor wrong")
		}
		lines := strings.Count(string(text), "\n") + 1
		for _, fault := range list {
			if fault.Line < 0 || fault.Line > lines || fault.Text == "" || printable(fault.Text) != fault.Text {
				t.Fatalf("%+v", fault)
			}
		}
	})
}
