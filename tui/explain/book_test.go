package explain

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Charts are found where they were drawn, also two that look alike, below their legend or above it, and what they name is found in both and in the legend; one that says nothing has no words.
func TestBook(t *testing.T) {
	st := theme.New(true, theme.Color256, false)
	c := plot.Chart{X: plot.Axis{Max: 1}, Y: plot.Axis{Max: 1}, Gutter: 3, Layers: []plot.Layer{
		plot.Curve{X: []float64{0, 1}, Y: []float64{0.1, 0.1}, Name: "line"}, plot.Points{X: []float64{0.5}, Y: []float64{0.9}, Name: "dot"}}}
	book := &Book{}
	legend := " " + screen.Legend(st, c.Legend(st), 26, 1)[0]
	body := append([]string{legend}, screen.Beside(book.Draw(c, 14, 5, st), book.Draw(c, 14, 5, st))...)
	upper := screen.Panel(st, "two alike", body, 30, 8, false)
	lower := screen.Panel(st, "a third", append(book.Draw(c, 28, 5, st), legend), 30, 8, false)
	seen := See(append([]string{"a heading"}, append(upper, lower...)...))

	parts := seen.Parts()
	two, third := book.In(&parts[0]), book.In(&parts[1])
	at := func(all []Shown) (text string) {
		for _, s := range all {
			text += fmt.Sprintf("%d,%d %d×%d; ", s.Left, s.Top, s.W, s.H)
		}
		return text
	}
	if got, want := at(two)+at(third), "1,3 14×5; 15,3 14×5; 1,10 28×5; "; got != want {
		t.Errorf("charts stand at %s, want %s", got, want)
	}
	if len(book.In(&parts[0])) != 0 {
		t.Error("a chart is found twice")
	}
	list := Together(two, func(name string) (string, string) { return strings.TrimPrefix("Of "+name+".", "Of line."), "" })
	if len(list) != 2 || list[0].Name != "dot" || list[0].Says != "Of dot." || list[1].Says != "" {
		t.Fatalf("told is %+v", list)
	}
	if got, want := fmt.Sprint(list[0].Where()), "[{3 9 10} {2 2 7} {3 23 24} {2 2 7}]"; got != want {
		t.Errorf("the dots are at %s, want %s", got, want)
	}
	if got := fmt.Sprint(third[0].Layers(func(string) (string, string) { return "", "" })[0].Where()); !strings.HasSuffix(got, "{15 2 7}]") {
		t.Errorf("the legend below is not found: %s", got)
	}
	if got := fmt.Sprint(third[0].Beside(false)(), two[0].Beside(true)()[0]); got != "[{10 1 1} {11 1 1} {12 1 1} {13 1 1} {14 1 1}] {3 15 29}" {
		t.Errorf("beside are %s", got)
	}
	var none *Book
	if got, want := strings.Join(none.Draw(c, 14, 5, st), "\n"), strings.Join(c.Draw(14, 5, st).Lines(), "\n"); got != want {
		t.Error("without a book it is drawn otherwise")
	}
}

// Letters with a sign over them have one column, wide ones two, wherever a part is cut.
func TestColumns(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	seen := See(screen.Beside(screen.Panel(st, "F̃ and 値", []string{" F̃ 3  値 4"}, 20, 3, false), screen.Panel(st, "right", []string{" 5"}, 10, 3, false)))
	var got []string
	for _, p := range seen.Parts() {
		got = append(got, fmt.Sprintf("%s|%d|%d|%q", p.Title, p.Left, p.W, strings.TrimSpace(p.Lines[0])))
	}
	if want := `F̃ and 値|0|20|"F̃ 3  値 4" right|20|10|"5"`; strings.Join(got, " ") != want {
		t.Errorf("parts are %s, want %s", got, want)
	}
}
