package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study/published"
	"bandscope/sessions/training"
)

// completer returns the words that a shell offers for an argument or the value of a flag, given the arguments before
// it: each is a word, with a description behind a tab. It evaluates nothing, reads only the files that are named, and
// returns no words on an error.
type completer func(ctx context.Context, before []string, typed string) []string

// completeArgs makes a shell offer words, for one argument after the other.
func completeArgs(arguments ...completer) cobra.CompletionFunc {
	return completeFurther(append(arguments, choices())...)
}

// completeFurther is completeArgs whose last words are offered for all further arguments too.
func completeFurther(arguments ...completer) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
		return complete(c, arguments[min(len(before), len(arguments)-1)], before, typed)
	}
}

// completeFlag makes a shell offer words for a flag.
func completeFlag(c *cobra.Command, flag string, words completer) {
	if err := c.RegisterFlagCompletionFunc(flag,
		func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
			return complete(c, words, before, typed)
		}); err != nil {
		panic(err) // there is no such flag
	}
}

// complete are the words that begin as typed. What ends in a sign that something follows has no space behind it.
func complete(c *cobra.Command, words completer, before []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	found := slices.DeleteFunc(words(c.Context(), before, typed), func(w string) bool {
		return !strings.HasPrefix(w, typed)
	})
	for _, w := range found {
		if name, _, _ := strings.Cut(w, "\t"); strings.HasSuffix(name, "=") ||
			strings.HasSuffix(name, string(filepath.Separator)) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return found, directive
}

func choices(list ...string) completer {
	return func(context.Context, []string, string) []string { return slices.Clone(list) }
}

// candidate is a word with its description.
func candidate(name, about string) string { return name + "\t" + sanitize.Text(about) }

// listWords are the names that bandscope list lists: of one kind, or for * of the kind in the argument before.
func listWords(subject string, dir *string) completer {
	return func(ctx context.Context, before []string, typed string) (list []string) {
		kind := subject
		if subject == "*" {
			kind = before[0]
		}
		switch kind {
		case "functions":
			return functionWords(ctx, before, typed)
		case "optimizers":
			return (&settings{}).OptimizerWords(ctx, before, "")
		case "comparisons":
			for _, c := range library.Comparisons() {
				list = append(list, candidate(c.Name, c.Title))
			}
		case "labs":
			for _, l := range training.Specs() {
				list = append(list, candidate(l.Name, l.Title))
			}
		case "gallery":
			for _, l := range library.Gallery() {
				list = append(list, candidate(l.Name, l.Title))
			}
		case "lessons":
			for _, l := range library.Lessons() {
				list = append(list, candidate(l.Name, l.Title))
			}
		case "sessions":
			return sessionNames(*dir)
		case "studies":
			return studyWords(ctx, before, typed)
		}
		return list
	}
}

// studyWords are the studies that are built in or lie in the data folder.
func studyWords(ctx context.Context, _ []string, _ string) (list []string) {
	entries, _ := published.List(ctx, library.DefaultStudiesDir()) // what cannot be read is not offered
	for _, e := range entries {
		title := "your own study"
		if e.BuiltIn != nil {
			title = e.BuiltIn.Title
		}
		list = append(list, candidate(e.Name, title))
	}
	return list
}

func functionWords(context.Context, []string, string) (list []string) {
	for _, f := range functions.Families() {
		about := f.Title
		if f.MaxDim > f.MinDim {
			about += fmt.Sprintf(", in other dimensions as %s:%d", f.Name, f.MaxDim)
		}
		list = append(list, candidate(f.Name, about))
	}
	return list
}

// OptimizerWords are the methods that fit the setting's function, all of them where that is not known. Of several with
// commas the last is completed.
func (s *settings) OptimizerWords(_ context.Context, _ []string, typed string) (list []string) {
	first := ""
	if i := strings.LastIndex(typed, ","); i >= 0 {
		first = typed[:i+1]
	}
	cfg, _ := s.configWithoutParams()
	p, err := cfg.FindProblem()
	for _, m := range registry.All() {
		if err != nil || m.Supports(len(p.Objectives), p.LimitedOutputs() != nil) {
			list = append(list, candidate(first+m.Name, m.Summary))
		}
	}
	return list
}

// SetWords are the parameters of the setting's method, or of several with commas, each with an equals sign; behind it
// the values that can be named.
func (s *settings) SetWords(_ context.Context, _ []string, typed string) (list []string) {
	key, _, valued := strings.Cut(typed, "=")
	cfg, _ := s.configWithoutParams()
	for _, optimizer := range strings.Split(s.Optimizer, ",") {
		cfg.Optimizer = optimizer
		params, err := cfg.Defaults()
		if err != nil {
			continue
		}
		for _, d := range params.Decls() {
			list = append(list, declWords(d, key, valued, s.Function)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// trainingParamWords are the parameters of the lab before, each with an equals sign; behind it the values that can be
// named.
func trainingParamWords(_ context.Context, before []string, typed string) (list []string) {
	if len(before) == 0 {
		return nil
	}
	l, err := training.Find(before[0])
	if err != nil {
		return nil
	}
	key, _, valued := strings.Cut(typed, "=")
	for _, d := range l.Decls {
		list = append(list, declWords(d, key, valued, "")...)
	}
	return list
}

// secondRunWords are the parameters in which a second run can differ: any of the lab's, or those that it suggests.
func secondRunWords(ctx context.Context, before []string, typed string) []string {
	list := trainingParamWords(ctx, before, typed)
	if len(before) == 0 || strings.Contains(typed, "=") {
		return list
	}
	return append(list, candidate("contrast", "the parameters that the lab suggests"))
}

// declWords are those of one parameter: its key, or its values if the key is already typed.
func declWords(d param.Decl, key string, valued bool, function string) (list []string) {
	switch {
	case !valued:
		list = append(list, candidate(d.Key+"=", d.Range()+"; "+d.Help))
	case d.Key == key:
		for _, v := range declValues(d, function) {
			list = append(list, candidate(key+"="+v, ""))
		}
	}
	return list
}

// ParamWords are the values to try for one parameter of the setting's method.
func (s *settings) ParamWords(key string) completer {
	return func(ctx context.Context, before []string, _ string) (list []string) {
		for _, w := range s.SetWords(ctx, before, key+"=") {
			v, _, _ := strings.Cut(strings.TrimPrefix(w, key+"="), "\t")
			list = append(list, v)
		}
		return list
	}
}

// declValues are the values of a parameter that can be named, for a number its default.
func declValues(d param.Decl, function string) []string {
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

// sessionWords are the sessions whose path begins as typed, the folders on the way to others, and the names of those
// that are kept in a folder.
func sessionWords(dir *string) completer {
	return func(_ context.Context, _ []string, typed string) (list []string) {
		found, _ := filepath.Glob(escapeGlob(typed) + "*")
		for _, path := range found {
			info, err := os.Stat(path)
			switch {
			case err != nil || strings.HasPrefix(filepath.Base(path), ".") &&
				!strings.HasPrefix(typed[strings.LastIndexByte(typed, filepath.Separator)+1:], "."):
			case info.IsDir():
				list = append(list, path+string(filepath.Separator))
			case info.Mode().IsRegular() && filepath.Ext(path) == ".jsonl":
				list = append(list, path)
			}
		}
		if !isWorkingDir(*dir) { // their paths are already in the list
			list = append(list, sessionNames(*dir)...)
		}
		return slices.DeleteFunc(list, func(path string) bool { return path != sanitize.Text(path) })
	}
}

// isWorkingDir reports whether a folder is the one in which one works.
func isWorkingDir(dir string) bool {
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

// sessionNames are the names of the sessions of a folder.
func sessionNames(dir string) []string {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var list []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), sessionSuffix); ok && f.Type().IsRegular() &&
			name == sanitize.Text(name) {
			list = append(list, name)
		}
	}
	return list
}

// branchWords are sessions, and behind FILE# the branches of one.
func branchWords(ctx context.Context, before []string, typed string) (list []string) {
	path, _, branch := strings.Cut(typed, "#")
	if !branch {
		return savedSessionWords(ctx, before, typed)
	}
	s := peekBefore(ctx, []string{path})
	if s == nil {
		return nil
	}
	all, _ := s.Branches() // what cannot be read is not offered
	for _, b := range all {
		if b.Name == sanitize.Text(b.Name) {
			about := b.State.Spec.Name + ", " + numfmt.Count(len(b.State.Iterations), "step")
			list = append(list, candidate(path+"#"+b.Name, about))
		}
	}
	return list
}

// peekBefore opens the session that is the first argument; nil where there is none.
func peekBefore(ctx context.Context, before []string) *sessions.Session {
	if len(before) == 0 {
		return nil
	}
	s, err := sessions.OpenReadOnly(ctx, sessionFile(before[0], defaultDir))
	if err != nil {
		return nil
	}
	return s
}

// lastItem is the last item of a typed list with commas.
func lastItem(typed string) string {
	items := functions.SplitList(typed, ',')
	return items[len(items)-1]
}

// continueList puts words behind a typed list with commas, without the names that are already in it.
func continueList(typed string, words []string) (list []string) {
	done := strings.TrimSuffix(typed, lastItem(typed))
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		if !strings.HasPrefix(done, name+"=") && !strings.Contains(done, ","+name+"=") {
			list = append(list, done+w)
		}
	}
	return list
}

const maxLevels = 100

// variableWords are the variables of the session before, each with an equals sign, and behind it the levels of one that
// takes some; of several with commas the last is completed.
func variableWords(ctx context.Context, before []string, typed string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	for _, v := range s.State().Problem.Domain {
		if last := lastItem(typed); !strings.HasPrefix(last, v.Name+"=") ||
			v.Levels() == 0 {
			list = append(list, candidate(v.Name+"=", strings.TrimSpace(encoding.FormatRange(v)+" "+v.Unit)))
			continue
		}
		for i := range min(v.Levels(), maxLevels) {
			list = append(list, candidate(v.Name+"="+functions.Quote(encoding.FormatExact(v, v.Level(i))), v.Unit))
		}
	}
	return continueList(typed, list)
}

// variableNames are the variables of the session before; of several with commas the last is completed.
func variableNames(ctx context.Context, before []string, typed string) (list []string) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	for _, w := range variableWords(ctx, before, "") {
		name, about, _ := strings.Cut(w, "=\t")
		if !slices.Contains(strings.Split(done, ","), name) {
			list = append(list, done+candidate(name, about))
		}
	}
	return list
}

// pendingWords are the pending points of the session before.
func pendingWords(ctx context.Context, before []string, _ string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	for _, p := range acts.Pending(s) {
		list = append(list, candidate(p.Name.String(), shortRow(s.State().Problem.Domain, p.Input())))
	}
	return list
}

// objectiveWords are the objectives and limits of the session before without a value yet, each with an equals sign.
func objectiveWords(ctx context.Context, before []string, _ string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	for _, o := range s.State().Problem.Outputs() {
		if !slices.ContainsFunc(before[1:], func(w string) bool { return strings.HasPrefix(w, o.Name+"=") }) {
			about := strings.TrimSpace(string(o.Direction) + " " + o.Unit)
			if o.Direction == "" {
				about = o.LimitText()
			}
			list = append(list, candidate(o.Name+"=", about))
		}
	}
	return list
}

// wordsOf are what a shell offers for arguments of acts, by the words that they declare.
var wordsOf map[string]completer

func init() {
	wordsOf = map[string]completer{"variables": variableNames, "inputs": variableWords, "bounds": boundWords,
		"objectives": objectiveListWords, "objective names": objectiveNames, "pending": pendingWords, "steps": stepWords,
		"priors": priorWords, "parameters": parameterWords, "methods": (&settings{}).OptimizerWords,
		"branches": ownBranchWords}
}

// objectiveListWords are the objectives and limits of the session before, each with an equals sign; of several with
// commas the last is completed.
func objectiveListWords(ctx context.Context, before []string, typed string) []string {
	return continueList(typed, objectiveWords(ctx, before, ""))
}

// boundWords are the variables of the session before, and behind the equals sign of one also that it is free.
func boundWords(ctx context.Context, before []string, typed string) []string {
	list := variableWords(ctx, before, typed)
	if name, _, ok := strings.Cut(typed, "="); ok {
		list = append(list, candidate(name+"=free", "its whole domain"))
	}
	return list
}

// stepWords are the steps of the session before, the last one first.
func stepWords(ctx context.Context, before []string, _ string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	s.Last()
	for _, it := range slices.Backward(s.State().Iterations) {
		list = append(list, candidate(fmt.Sprint(it.Step), shortRow(s.State().Problem.Domain, it.Points[0].X)))
	}
	return list
}

// objectiveNames are the objectives and limits of the session before.
func objectiveNames(ctx context.Context, before []string, _ string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	for _, o := range s.State().Problem.Outputs() {
		list = append(list, candidate(o.Name, acts.DescribeObjective(o)))
	}
	return list
}

// priorWords are the priors that the session before suggests.
func priorWords(ctx context.Context, before []string, _ string) []string {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	d, ok := s.State().Params.ByRole(optimizers.RolePrior)
	if !ok {
		return nil
	}
	return s.State().SuggestedValues(d)
}

// parameterWords are the parameters of the session before, each with an equals sign, and behind it values to try.
func parameterWords(ctx context.Context, before []string, typed string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	key, _, valued := strings.Cut(typed, "=")
	for _, d := range s.State().Params.Decls() {
		list = append(list, declWords(d, key, valued, s.State().Config.Problem)...)
	}
	slices.Sort(list)
	return list
}
