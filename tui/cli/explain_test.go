package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/functions"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/library"
	"bandscope/sessions/study/published"
	"bandscope/sessions/training"
	"bandscope/tui/theme"
)

// explained is what the command says.
func explained(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := explainCommand()
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetOut(&out)
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

// The methods, problems, parameters, lessons, comparisons and labs that terms are seen with are there.
func TestPlacesAreThere(t *testing.T) {
	for _, term := range glossary.All() {
		for _, s := range term.See {
			if s.Command == "" {
				continue
			}
			assert.Equal(t, "", missing(s.Command), "%s: %s: there is no", term.Name, s.Command)
		}
	}
	for line, want := range map[string]string{
		"bandscope -f branin -o gp-ei": "", "bandscope -f brannin": "problem brannin",
		"bandscope lesson x": "lesson x", "bandscope study x --published": "study x with results",
		"bandscope -o gp-ei --set width=2": "parameter width=2",
		"bandscope frob":                   "command frob", "bandscope lab flops --set lambda=2": "",
		"bandscope lab flops --set width=2": "parameter width=2", "bandscope -f branin --frob": "flag --frob",
		"bandscope -f zdt2 -o gp-ei": "fit of gp-ei"} {
		assert.Equal(t, want, missing(line), line)
	}
}

// missing is what a command line names that there is not; empty if all of it is there.
func missing(line string) string {
	words, decls, wrong := commandFor(strings.Fields(line)[1:])
	if wrong != "" {
		return wrong
	}
	problem, method := (*functions.Problem)(nil), ""
	for i := 0; i < len(words); i++ {
		if !strings.HasPrefix(words[i], "-") {
			continue
		}
		if i+1 == len(words) {
			return "flag " + words[i]
		}
		value := strings.Trim(words[i+1], "'")
		switch words[i] {
		case "-f":
			p, err := functions.Find(value, 1)
			if err != nil {
				return "problem " + value
			}
			problem = p
		case "-o":
			for m := range strings.SplitSeq(value, ",") {
				spec, err := registry.Find(m)
				if err != nil {
					return "method " + m
				}
				method, decls = m, spec.Params
				if problem != nil && !spec.Supports(len(problem.Objectives), problem.LimitedOutputs() != nil) {
					return "fit of " + method
				}
			}
		case "--set", "--second":
			key, _, _ := strings.Cut(value, "=")
			if words[i] == "--set" && words[0] != "check" &&
				!slices.ContainsFunc(decls, func(d param.Decl) bool { return d.Key == key }) {
				return "parameter " + value
			}
		case "-n", "--seed", "--seeds", "--noise", "--prior", "--scalarization":
		default:
			return "flag " + words[i]
		}
		i++
	}
	return ""
}

// commandFor is the command of a line, with a name that it lists as a flag's value, and the parameters of the lab that
// it opens; wrong is what of it there is not.
func commandFor(words []string) (flags []string, decls []param.Decl, wrong string) {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return words, nil, ""
	}
	name := words[len(words)-1]
	if len(words) > 1 {
		name = words[1]
	}
	switch words[0] {
	case "lesson":
		if !slices.ContainsFunc(library.Lessons(), func(l library.LessonEntry) bool { return l.Name == name }) {
			return nil, nil, "lesson " + name
		}
	case "compare":
		if _, err := library.FindComparison(name); err != nil {
			return nil, nil, "comparison " + name
		}
	case "lab":
		l, err := training.FindBuiltin(name)
		if err != nil {
			return nil, nil, "lab " + name
		}
		decls = l.Decls
	case "list":
		if words[1] == "functions" {
			return append(words, "-f", words[2]), nil, ""
		}
		return append(words, "-o", words[2]), nil, ""
	case "study":
		if strings.HasPrefix(name, "-") {
			return words, nil, ""
		}
		if !published.HasResults(name) {
			return nil, nil, "study " + name + " with results"
		}
		// a flag without a value
		return slices.DeleteFunc(words, func(w string) bool { return w == "--published" }), nil, ""
	case "run", "check":
	default:
		return nil, nil, "command " + words[0]
	}
	return words, decls, ""
}

// Without a name all terms are listed, with names those are told in full, in lines that fit a terminal, and in plain
// characters if they are asked for.
func TestExplain(t *testing.T) {
	all, err := explained(t)
	if err != nil || strings.Count(all, "\n") != len(glossary.All())+2 || !strings.Contains(all, "posterior  ") {
		t.Errorf("%v: %s", err, all)
	}
	for _, args := range [][]string{{"pareto", "front"}, {"Pareto-front"}, {"pareto front"}} {
		if out, err := explained(t, args...); err != nil || strings.Count(out, "  source   ") != 1 ||
			!strings.HasPrefix(out, "Pareto front") {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
	if out, err := explained(t, "EI", "UCB", "NTK", "--ascii"); err != nil || strings.Count(out, "  source   ") != 3 ||
		strings.ContainsFunc(out, func(r rune) bool { return r > 126 }) {
		t.Errorf("%v: %s", err, out)
	}
	for _, term := range glossary.All() {
		for line := range strings.Lines(describeTerm(theme.New(true, theme.NoColor, false), term)) {
			if utf8.RuneCountInString(line) > 96 {
				t.Errorf("%s: a line of %d: %s", term.Name, utf8.RuneCountInString(line), line)
			}
		}
	}
	out, err := explained(t, "--search", "hypervolume", "--json")
	var found []glossary.Term
	if err != nil || json.Unmarshal([]byte(out), &found) != nil || len(found) < 3 || found[0].Source == "" {
		t.Errorf("%v: %s", err, out)
	}
}

// On a terminal that shows links the publications of a source have them; the text is the same, and elsewhere there are
// none.
func TestExplainLinks(t *testing.T) {
	linked, plain := theme.New(true, theme.Color256, false), theme.New(true, theme.NoColor, false)
	links := 0
	for _, term := range glossary.All() {
		text := describeTerm(linked, term)
		assert.Equal(t, describeTerm(plain, term), ansi.Strip(text), "%s: with links the text", term.Name)
		for _, l := range term.Links {
			if strings.Contains(text, ansi.SetHyperlink(l.URL, "")) {
				links++
			} else {
				t.Errorf("%s: there is no link to %s", term.Name, l.URL)
			}
		}
	}
	if out, err := explained(t, "EI"); err != nil || links < 50 || strings.Contains(out, "\x1b") {
		t.Errorf("%d links; where there is no terminal: %v, %q", links, err, out)
	}
}

// What is wrong says what would be right.
func TestExplainRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"hypervolum": "did you mean hypervolume", "qqqqqqqqqq": "lists all terms",
		"gp-ei": "bandscope list optimizers gp-ei", "branin": "bandscope list functions branin",
		"--search qqqq": "no term contains", "--search x EI": "leave out the term", "EI qqqqqqqqqq": "qqqqqqqqqq"} {
		out, err := explained(t, strings.Fields(line)...)
		if usage := (statusError{}); out != "" || !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %s", line, err, out)
		}
	}
}

// A shell is offered names that need no quotes, whatever case they are typed in.
func TestTermWords(t *testing.T) {
	for typed, want := range map[string]string{
		"gam": "gamma\t", "par": "pareto-front\t", "Par": "Pareto-front\t", "ei": "ei\t", "EI": "EI\t"} {
		if list := termWords(t.Context(), nil, typed); !slices.ContainsFunc(list, func(w string) bool {
			return strings.HasPrefix(w, want)
		}) {
			t.Errorf("%s: %q is not among %d", typed, want, len(list))
		}
	}
	for _, w := range termWords(t.Context(), nil, "") {
		name, _, _ := strings.Cut(w, "\t")
		if _, err := glossary.Find(name); err != nil || strings.ContainsAny(name, " '()") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
