package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/golden"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/stats"
	"bandscope/tui/guide"
	"bandscope/tui/widget"
)

// The guide to the keys is made from their commands.
func TestGuideKeys(t *testing.T) {
	golden.Section(t, "guide/keys.md", "keys", keyList(groups()))
}

// The guide to the methods is made from what they declare.
func TestGuideMethods(t *testing.T) {
	golden.Section(t, "guide/methods.md", "methods", methodList(registry.All()))
	golden.Section(t, "guide/methods.md", "inputs", inputList(registry.All()))
}

// The numbers of the papers stand beside what our runs of their studies gave.
func TestGuidePublished(t *testing.T) {
	golden.Section(t, "guide/published-results.md", "published", publishedList(published.Names(), published.Results))
}

// publishedList is a list of all studies, and below it the numbers that papers print and that were run here.
func publishedList(names []string, results func(string) (*study.Table, bool)) string {
	var all, numbers strings.Builder
	for _, name := range names {
		d, _ := published.Find(name)
		cells, err := d.Cells()
		if err != nil {
			panic(err)
		}
		ran := 0
		table, ok := results(name)
		if ok {
			for _, r := range table.Rows {
				if r.Status == study.Done {
					ran++
				}
			}
			heading := fmt.Sprintf("\n## %s: simple regret\n\n", name)
			runs := stats.CurvesFor(table, stats.DefaultAxis)
			for _, b := range stats.ComparePublished(table) {
				if b.Measure != study.SimpleRegret || b.Ours.N == 0 {
					continue
				}
				ours := numfmt.Format(b.Ours.Mean)
				if b.Ours.N > 1 {
					ours += " ± " + numfmt.Format(b.Ours.Student)
				}
				numbers.WriteString(heading + item(fmt.Sprintf("`%s`, `%s`: printed %s, ours %s (%d of %d seeds): %s.",
					b.Problem, runs.Labels[slices.Index(runs.Methods, b.Method)], numfmt.Exact(b.Value), ours, b.Ours.N, d.Seeds,
					strings.TrimSuffix(b.Note, "."))))
				heading = ""
			}
		}
		all.WriteString(item(fmt.Sprintf("`%s`: %s From %s. %d of %d cells were run.",
			name, d.Title, d.Source, ran, len(cells))))
	}
	return "\n" + all.String() + numbers.String() + "\n"
}

// methodList is a list of all methods by family, each with its source.
func methodList(specs []optimizers.Spec) string {
	var b strings.Builder
	family := ""
	for _, s := range specs {
		if s.Family != family {
			family = s.Family
			fmt.Fprintf(&b, "\n### %s%s\n\n", strings.ToUpper(family[:1]), family[1:])
		}
		text := fmt.Sprintf("`%s`: %s.", s.Name, s.Summary)
		if s.Source != "" {
			text += fmt.Sprintf(" Source: %s.", s.Source)
		}
		b.WriteString(item(text))
	}
	return b.String() + "\n"
}

// inputList is a list of each way to treat a property of a problem, with the methods that treat it so.
func inputList(specs []optimizers.Spec) string {
	var b strings.Builder
	for _, p := range []struct {
		title string
		of    func(optimizers.Spec) string
	}{
		{"Integers, ordered values and choices", func(s optimizers.Spec) string { return guide.Levels[s.Levels] }},
		{"Known constraints", func(s optimizers.Spec) string { return guide.Constraints[s.Constraints] }},
		{"Limits on measured quantities", func(s optimizers.Spec) string { return guide.Limits[s.Limits] }},
	} {
		fmt.Fprintf(&b, "\n### %s\n\n", p.title)
		var ways []string
		names := map[string][]string{}
		for _, s := range specs {
			mode := p.of(s)
			if names[mode] == nil {
				ways = append(ways, mode)
			}
			names[mode] = append(names[mode], "`"+s.Name+"`")
		}
		for _, mode := range ways {
			b.WriteString(item(fmt.Sprintf("%s: %s.", strings.Join(names[mode], ", "), mode)))
		}
	}
	return b.String() + "\n"
}

// keyList is a list of keys below a heading for every group.
func keyList(groups []widget.Group) string {
	var b strings.Builder
	for _, g := range groups {
		var keys []string
		for _, k := range g.Bindings {
			shown, does := widget.Shown(k), k.Help().Desc
			if widget.IsNamed(k) {
				shown += " " + does
			}
			if long := g.Long[k.Help().Desc]; long != "" {
				does = long
			}
			if shown != "" {
				keys = append(keys, fmt.Sprintf("`%s` %s", strings.ReplaceAll(shown, " ", unbroken), does))
			}
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", g.Title, wrap("", "", strings.Join(keys, " · ")))
	}
	return strings.ReplaceAll(b.String(), unbroken, " ") + "\n"
}

// unbroken stands for a space at which no line is broken: one that begins with a key such as + would begin a list.
const unbroken = "\u00a0"

// guideWidth is the widest line of a guide in columns.
const guideWidth = 120

// item is an entry of a Markdown list.
func item(text string) string { return wrap("- ", "  ", text) }

// wrap breaks a text into lines of at most guideWidth columns behind prefixes, between words alone: names of methods
// have hyphens.
func wrap(first, rest, text string) string {
	var b strings.Builder
	words := strings.Split(text, " ")
	line := first + words[0]
	for _, word := range words[1:] {
		if ansi.StringWidth(line+" "+word) > guideWidth {
			b.WriteString(line + "\n")
			line = rest + word
			continue
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
