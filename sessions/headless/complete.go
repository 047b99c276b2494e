package headless

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/setting"
	"bandscope/optimizers"
	"bandscope/optimizers/methods"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/headless/asking"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/labs"
	"bandscope/sessions/headless/look"
	"bandscope/sessions/loop"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
	studies "bandscope/sessions/study/shelf"
)

// Words are what a shell offers while an argument or the value of a flag is typed, given the arguments before it: each a word, and behind a tab
// what it is. Nothing is evaluated for them, and no file but what is named is read; where there is nothing to offer, or something is wrong, there are none.
type Words func(ctx context.Context, before []string, typed string) []string

// Offered makes a shell offer words, for one argument after the other.
func Offered(arguments ...Words) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(before) >= len(arguments) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offered(c, arguments[len(before)], before, typed)
	}
}

// Offer makes a shell offer words for a flag.
func Offer(c *cobra.Command, flag string, words Words) {
	if err := c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offered(c, words, before, typed)
	}); err != nil {
		panic(err) // there is no such flag
	}
}

// offered are the words that begin as typed. What ends in a sign that something follows has no space behind it.
func offered(c *cobra.Command, words Words, before []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	found := slices.DeleteFunc(words(c.Context(), before, typed), func(w string) bool { return !strings.HasPrefix(w, typed) })
	for _, w := range found {
		if name, _, _ := strings.Cut(w, "\t"); strings.HasSuffix(name, "=") || strings.HasSuffix(name, string(filepath.Separator)) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return found, directive
}

// These are the words of a list.
func These(list ...string) Words {
	return func(context.Context, []string, string) []string { return slices.Clone(list) }
}

// word is a word with what it is.
func word(name, about string) string { return name + "\t" + safe.Text(about) }

// ListWords are the names of what List lists: of one kind, of the kind that stands before (*), or the kinds themselves (empty).
func ListWords(what string, dir *string) Words {
	return func(ctx context.Context, before []string, typed string) (list []string) {
		kind := what
		if what == "*" {
			kind = before[0]
		}
		switch kind {
		case "":
			return slices.Clone(look.Lists)
		case "functions":
			return FunctionWords(ctx, before, typed)
		case "optimizers":
			return (&Setting{}).OptimizerWords(ctx, before, "")
		case "comparisons":
			for _, c := range shelf.Comparisons() {
				list = append(list, word(c.Name, c.Title))
			}
		case "labs":
			for _, l := range labs.Names() {
				list = append(list, word(l[0], l[1]))
			}
		case "lessons":
			for _, l := range shelf.Lessons() {
				list = append(list, word(l.Name, l.Title))
			}
		case "sessions":
			return kept(*dir)
		case "studies":
			return StudyWords(ctx, before, typed)
		}
		return list
	}
}

// StudyWords are the studies that are built in or lie in the data folder.
func StudyWords(ctx context.Context, _ []string, _ string) (list []string) {
	entries, _ := studies.List(ctx) // what cannot be read is not offered
	for _, e := range entries {
		title := "begun"
		if e.Built != nil {
			title = e.Built.Title
		}
		list = append(list, word(e.Name, title))
	}
	return list
}

// FunctionWords are the functions.
func FunctionWords(context.Context, []string, string) (list []string) {
	for _, f := range functions.Families() {
		about := f.Title
		if f.MaxDim > f.MinDim {
			about += fmt.Sprintf(", in other dimensions %s:%d", f.Name, f.MaxDim)
		}
		list = append(list, word(f.Name, about))
	}
	return list
}

// OptimizerWords are the methods that fit the setting's function, all of them where that is not known. Of several with commas the last is completed.
func (s *Setting) OptimizerWords(_ context.Context, _ []string, typed string) (list []string) {
	first := ""
	if i := strings.LastIndex(typed, ","); i >= 0 {
		first = typed[:i+1]
	}
	cfg, _ := s.about()
	p, err := cfg.FindProblem()
	for _, m := range methods.All() {
		if err != nil || m.Fits(len(p.Objectives), p.Limited() != nil) {
			list = append(list, word(first+m.Name, m.Summary))
		}
	}
	return list
}

// SetWords are the parameters of the setting's method, or of several with commas, each with an equals sign; behind it the values that can be named.
func (s *Setting) SetWords(_ context.Context, _ []string, typed string) (list []string) {
	key, _, valued := strings.Cut(typed, "=")
	cfg, _ := s.about()
	for _, optimizer := range strings.Split(s.Optimizer, ",") {
		cfg.Optimizer = optimizer
		params, err := cfg.Defaults()
		if err != nil {
			continue
		}
		for _, d := range params.Decls() {
			list = append(list, wordsOf(d, key, valued, s.Function)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// LabWords are the parameters of the lab before, each with an equals sign; behind it the values that can be named.
func LabWords(_ context.Context, before []string, typed string) (list []string) {
	if len(before) == 0 {
		return nil
	}
	key, _, valued := strings.Cut(typed, "=")
	for _, d := range labs.Parameters(before[0]) {
		list = append(list, wordsOf(d, key, valued, "")...)
	}
	return list
}

// BesideWords are what a second run can be told to differ in: those, or what the lab suggests.
func BesideWords(ctx context.Context, before []string, typed string) []string {
	list := LabWords(ctx, before, typed)
	if len(before) == 0 || strings.Contains(typed, "=") {
		return list
	}
	return append(list, word("contrast", "what the lab suggests"))
}

// wordsOf are those of one parameter: its key, or if that stands there its values.
func wordsOf(d param.Decl, key string, valued bool, function string) (list []string) {
	switch {
	case !valued:
		list = append(list, word(d.Key+"=", d.Range()+"; "+d.Help))
	case d.Key == key:
		for _, v := range valuesOf(d, function) {
			list = append(list, word(key+"="+v, ""))
		}
	}
	return list
}

// ParamWords are the values to try for one parameter of the setting's method.
func (s *Setting) ParamWords(key string) Words {
	return func(ctx context.Context, before []string, _ string) (list []string) {
		for _, w := range s.SetWords(ctx, before, key+"=") {
			v, _, _ := strings.Cut(strings.TrimPrefix(w, key+"="), "\t")
			list = append(list, v)
		}
		return list
	}
}

// valuesOf are the values of a parameter that can be named, for a number its default.
func valuesOf(d param.Decl, function string) []string {
	switch d.Kind {
	case param.Switch:
		return []string{"on", "off"}
	case param.Choice:
		return d.Choices
	case param.Text:
		values := slices.Clone(d.Choices)
		if p, err := functions.Find(function, 0); err == nil && d.Role == optimizers.RolePrior {
			for _, r := range p.Regions {
				values = append(values, r.Name)
			}
		}
		return values
	}
	return []string{d.Format(d.Default)}
}

// SessionWords are the sessions whose path begins as typed, the folders on the way to others, and the names of those that are kept in a folder.
func SessionWords(dir *string) Words {
	return func(_ context.Context, _ []string, typed string) (list []string) {
		found, _ := filepath.Glob(escapeGlob(typed) + "*")
		for _, path := range found {
			info, err := os.Stat(path)
			switch {
			case err != nil || strings.HasPrefix(filepath.Base(path), ".") && !strings.HasPrefix(typed[strings.LastIndexByte(typed, filepath.Separator)+1:], "."):
			case info.IsDir():
				list = append(list, path+string(filepath.Separator))
			case info.Mode().IsRegular() && filepath.Ext(path) == ".jsonl":
				list = append(list, path)
			}
		}
		if !here(*dir) { // their paths stand there already
			list = append(list, kept(*dir)...)
		}
		return slices.DeleteFunc(list, func(path string) bool { return path != safe.Text(path) })
	}
}

// here reports whether a folder is the one in which one works.
func here(dir string) bool {
	a, errA := os.Stat(dir)
	b, errB := os.Stat(".")
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// escapeGlob makes a path a pattern for itself.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// kept are the names of the sessions of a folder.
func kept(dir string) []string {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var list []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), command.Ending); ok && f.Type().IsRegular() && name == safe.Text(name) {
			list = append(list, name)
		}
	}
	return list
}

// BranchWords are sessions, and behind FILE# the branches of one.
func BranchWords(dir *string) Words {
	return func(ctx context.Context, before []string, typed string) (list []string) {
		path, _, branch := strings.Cut(typed, "#")
		if !branch {
			return SessionWords(dir)(ctx, before, typed)
		}
		s, err := sessions.Peek(ctx, command.FileOf(path, *dir))
		if err != nil {
			return nil
		}
		all, err := s.Branches()
		if err != nil {
			return nil
		}
		for _, b := range all {
			if b.Name == safe.Text(b.Name) {
				list = append(list, word(path+"#"+b.Name, b.State.Spec.Name+", "+digits.Count(len(b.State.Iterations), "step")))
			}
		}
		return list
	}
}

// ChangeWords are the corrections that the session before can have, as Session.Change reads them.
func ChangeWords(ctx context.Context, before []string, _ string) []string {
	s, err := sessions.Peek(ctx, command.FileOf(before[0], shelf.DefaultDir()))
	if err != nil {
		return nil
	}
	s.Last()
	st := s.State()
	list := []string{word("reject", "the suggestion is refused")}
	for _, it := range st.Out {
		list = append(list, word(fmt.Sprintf("reject %d", it.Number), asking.InputText(st, it.X[0])))
		if it.Begun() && len(it.X) == 1 {
			list = append(list, word(fmt.Sprintf("point %d =", it.Number), "what was reported should have been"))
		}
	}
	if n := len(st.Iterations); n > 0 {
		list = append(list, word(fmt.Sprintf("step %d =", n), "should have been"), word(fmt.Sprintf("step %d sd", n), "its standard error"),
			word(fmt.Sprintf("step %d at", n), "where it was run"), word(fmt.Sprintf("step %d cost", n), "what it cost"), word(fmt.Sprintf("drop step %d", n), "is withdrawn"))
	}
	for _, v := range st.Problem.Domain {
		if v.Kind != functions.Choice {
			list = append(list, word(fmt.Sprintf("%s in %s..%s", v.Name, setting.Given(v, v.Low), setting.Given(v, v.High)), "is narrowed"))
		}
		for i := 0; v.Kind != functions.Integer && i < min(v.Levels(), maxLevels); i++ {
			list = append(list, word(v.Name+" = "+setting.Given(v, v.Level(i)), "is pinned"))
		}
		list = append(list, word("free "+v.Name, "has its whole domain again"))
	}
	return list
}

// TellWords are a session, the points that are out in it, and then the names of what is told of one.
func TellWords(dir *string) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
		words := SessionWords(dir)
		switch len(before) {
		case 0:
		case 1:
			words = outWords
		default:
			words = objectiveWords
		}
		return offered(c, words, before, typed)
	}
}

// ObjectiveWords are the objectives and limits of the session before, each with an equals sign; of several with commas the last is completed.
func ObjectiveWords(ctx context.Context, before []string, typed string) []string {
	return further(typed, objectiveWords(ctx, before[:min(len(before), 1)], ""))
}

// further are words behind those that are typed with commas, without the names that stand there.
func further(typed string, words []string) (list []string) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		if !strings.HasPrefix(done, name+"=") && !strings.Contains(done, ","+name+"=") {
			list = append(list, done+w)
		}
	}
	return list
}

// maxLevels bounds how many levels of a variable are offered.
const maxLevels = 100

// VariableWords are the variables of the session before, each with an equals sign, and behind it the levels of one that takes some; of several with commas the last
// is completed.
func VariableWords(ctx context.Context, before []string, typed string) (list []string) {
	if len(before) == 0 {
		return nil
	}
	s, err := sessions.Peek(ctx, command.FileOf(before[0], shelf.DefaultDir()))
	if err != nil {
		return nil
	}
	for _, v := range s.State().Problem.Domain {
		if last := typed[strings.LastIndexByte(typed, ',')+1:]; !strings.HasPrefix(last, v.Name+"=") || v.Levels() == 0 {
			list = append(list, word(v.Name+"=", strings.TrimSpace(setting.Extent(v)+" "+v.Unit)))
			continue
		}
		for i := range min(v.Levels(), maxLevels) {
			list = append(list, word(v.Name+"="+setting.Given(v, v.Level(i)), v.Unit))
		}
	}
	return further(typed, list)
}

// VariableNames are the variables of the session before; of several with commas the last is completed.
func VariableNames(ctx context.Context, before []string, typed string) (list []string) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	for _, w := range VariableWords(ctx, before, "") {
		name, about, _ := strings.Cut(w, "=\t")
		if !slices.Contains(strings.Split(done, ","), name) {
			list = append(list, done+word(name, about))
		}
	}
	return list
}

// outWords are the points that are out in the session before.
func outWords(ctx context.Context, before []string, _ string) (list []string) {
	s, err := sessions.Peek(ctx, command.FileOf(before[0], shelf.DefaultDir()))
	if err != nil {
		return nil
	}
	for _, p := range loop.Out(s) {
		list = append(list, word(p.Name.String(), asking.InputText(s.State(), p.Input())))
	}
	return list
}

// objectiveWords are the objectives and limits of the session before that are not told yet, each with an equals sign.
func objectiveWords(ctx context.Context, before []string, _ string) (list []string) {
	if len(before) == 0 {
		return nil
	}
	s, err := sessions.Peek(ctx, command.FileOf(before[0], shelf.DefaultDir()))
	if err != nil {
		return nil
	}
	for _, o := range s.State().Problem.Measured() {
		if !slices.ContainsFunc(before[1:], func(w string) bool { return strings.HasPrefix(w, o.Name+"=") }) {
			about := strings.TrimSpace(string(o.Direction) + " " + o.Unit)
			if o.Direction == "" {
				about = o.LimitText()
			}
			list = append(list, word(o.Name+"=", about))
		}
	}
	return list
}
