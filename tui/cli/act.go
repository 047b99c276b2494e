package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/export"
)

// door performs acts by command lines: their arguments are flags and words.
type door struct {
	command *cobra.Command
	flags   map[string]*argument // of all acts, by the name of the flag
	json    bool
}

// actCommand is the command of an act. Its flags, words, help and completion are what the arguments of the act declare.
func actCommand(a *acts.Act, example string) (*cobra.Command, *door) {
	c := &cobra.Command{Use: a.Name + " FILE" + usage(a), Short: a.Title, Long: a.About, Example: example}
	d := newDoor(c, a)
	words := d.words(a)
	completers := []completer{savedSessionWords}
	rest := false
	for _, w := range words {
		completers = append(completers, w.completer())
		rest = w.isMap()
	}
	c.ValidArgsFunction = completeArgs(completers...)
	c.Args = args(cobra.RangeArgs(1, len(words)+1))
	if rest {
		c.ValidArgsFunction = completeFurther(completers...)
		c.Args = args(cobra.MinimumNArgs(1))
	}
	c.RunE = func(c *cobra.Command, a0 []string) error {
		return d.run(c.Context(), os.Stdout, os.Stderr, a, a0[0], a0[1:])
	}
	return c, d
}

// plainCommand is the command of an act that needs nothing else.
func plainCommand(a *acts.Act, example string) *cobra.Command {
	c, _ := actCommand(a, example)
	return c
}

// newDoor gives a command the flags of acts.
func newDoor(c *cobra.Command, all ...*acts.Act) *door {
	d := &door{command: c, flags: map[string]*argument{}}
	for _, a := range all {
		for _, g := range argumentsOf(a.Arguments(), "") {
			if d.flags[g.flag] == nil {
				d.flags[g.flag] = g
				g.add(c)
			}
		}
	}
	c.Flags().BoolVar(&d.json, "json", false, "print JSON")
	if slices.ContainsFunc(all, func(a *acts.Act) bool { return a.Fits }) {
		(&programFlag{}).Flags(c)
	}
	if slices.ContainsFunc(all, func(a *acts.Act) bool { return a.Changes }) {
		recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
	}
	return d
}

// usage are the words of an act behind the file.
func usage(a *acts.Act) (text string) {
	for _, g := range argumentsOf(a.Arguments(), "") {
		switch {
		case g.word == "":
		case g.isMap():
			text += " [" + g.word + "]..."
		default:
			text += " " + g.word
		}
	}
	return text
}

// words are the arguments of an act that are words.
func (d *door) words(a *acts.Act) (list []*argument) {
	for _, g := range argumentsOf(a.Arguments(), "") {
		if g.word != "" {
			list = append(list, d.flags[g.flag])
		}
	}
	return list
}

// arguments are the arguments of an act as a JSON object.
func (d *door) arguments(a *acts.Act, words []string) (json.RawMessage, error) {
	places := d.words(a)
	for i, w := range words {
		if len(places) == 0 {
			return nil, usagef("%s takes no word %q", a.Name, w)
		}
		g := places[min(i, len(places)-1)]
		if err := g.Set(w); err != nil {
			return nil, usagef("%s: %w", g.subject(), err)
		}
	}
	object := map[string]any{}
	known := argumentsOf(a.Arguments(), "")
	for name, g := range d.flags {
		if g.value == nil {
			continue
		}
		if !slices.ContainsFunc(known, func(o *argument) bool { return o.flag == name }) {
			return nil, usagef("--%s does not belong to %s; see %s --help", name, a.Name, d.command.CommandPath())
		}
		if g.parent == "" {
			object[g.name] = g.value
			continue
		}
		inner, ok := object[g.parent].(map[string]any)
		if !ok {
			inner = map[string]any{}
			object[g.parent] = inner
		}
		inner[g.name] = g.value
	}
	return json.Marshal(object)
}

// run performs an act on a session in a file, and prints its answer.
func (d *door) run(ctx context.Context, out, errs io.Writer, a *acts.Act, path string, words []string) error {
	return d.runWith(ctx, out, errs, a, path, words, nil)
}

// runWith is run with something to do with the answer, whose lines are printed instead of it, unless there are none.
func (d *door) runWith(ctx context.Context, out, errs io.Writer, a *acts.Act, path string, words []string,
	then func(*sessions.Session, acts.Answer) ([]string, error)) error {
	arguments, err := d.arguments(a, words)
	if err != nil {
		return err
	}
	s, err := openFor(ctx, a, path, errs)
	if err != nil {
		return err
	}
	if !a.Stays {
		s.Last()
	}
	progress, done := newProgress(errs)
	answer, err := a.Perform(ctx, acts.Turn{Session: s, Progress: progress, Paint: export.Paint, Emit: func(v any) error {
		return d.print(contextWriter{ctx, out}, v.(acts.Answer))
	}}, arguments)
	done()
	if points, ok := answer.(acts.AskAnswer); err != nil && ok && len(points.Points) > 0 { // it found them before
		err = errors.Join(actError(err), d.print(out, answer))
	}
	var lines []string
	if err == nil && then != nil {
		lines, err = then(s, answer)
	}
	switch {
	case err != nil || a.Waits:
	case lines != nil && !d.json:
		err = printLines(out, lines...)
	default:
		err = d.print(out, answer)
	}
	if err == nil && a.Fits {
		printSubstitute(ctx, s, errs, "-o")
	}
	return errors.Join(actError(d.sayHow(a, err)), s.Close())
}

// sayHow adds to the error of an argument that is missing how the command line gives it.
func (d *door) sayHow(a *acts.Act, err error) error {
	var e *acts.Error
	if !errors.As(err, &e) {
		return err
	}
	name, ok := strings.CutSuffix(e.Text, " is missing")
	if !ok {
		return err
	}
	for _, g := range argumentsOf(a.Arguments(), "") {
		if g.name == name && g.parent == "" {
			return fmt.Errorf("%w; add %s", err, strings.TrimSpace(g.subject()+" "+g.example()))
		}
	}
	return err
}

// openFor opens a session for an act.
func openFor(ctx context.Context, a *acts.Act, path string, errs io.Writer) (*sessions.Session, error) {
	switch {
	case a.Changes:
		return openToWrite(ctx, path, errs)
	case a.Waits:
		s, err := sessions.OpenToFollow(ctx, sessionFile(path, library.DefaultDir()))
		return notify(s, err, errs)
	}
	s, err := readSession(ctx, path, errs)
	if err == nil {
		s.SetAuthor(authorFrom(ctx))
	}
	return s, err
}

// print prints an answer.
func (d *door) print(out io.Writer, answer acts.Answer) error {
	if d.json {
		return sanitize.JSON(out, answer)
	}
	_, err := fmt.Fprintln(out, answer.Text())
	return err
}

// actError is the error of an act: one of usage if the arguments are wrong, with what would be right.
func actError(err error) error {
	var e *acts.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Hint != "" && !strings.Contains(e.Hint, "bandscope schema") { // the help has the flags
		err = fmt.Errorf("%w; %s", err, e.Hint)
	}
	if e.Code == acts.CodeRequest || e.Code == acts.CodeInfeasible {
		return asUsage(err)
	}
	return err
}

// argumentsOf are the arguments that a struct declares by its tags. Those of an inner struct have its name as parent.
func argumentsOf(t reflect.Type, parent string) (list []*argument) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || !f.IsExported() {
			continue
		}
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind.Kind() == reflect.Struct && !isEncoded(kind) {
			list = append(list, argumentsOf(kind, name)...)
			continue
		}
		g := &argument{parent: parent, name: name, kind: kind, flag: strings.ReplaceAll(name, "_", "-"),
			short: f.Tag.Get("short"), word: f.Tag.Get("arg"), help: f.Tag.Get("jsonschema"), completion: f.Tag.Get("words")}
		if flag := f.Tag.Get("flag"); flag != "" {
			g.flag = flag
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			g.enum = strings.Split(enum, "|")
			g.help += ": " + strings.Join(g.enum, ", ")
		}
		list = append(list, g)
	}
	return list
}
