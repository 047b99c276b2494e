package parameters

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel while parameters are edited: all of them, the one that is selected, and what is told of it.
func (e *Editor) Elements(s mode.Scene, seen mode.Seen) []explain.Element {
	decls := s.Params.Decls()
	if len(decls) == 0 || seen.H < 3 {
		return nil
	}
	help, room, top := e.parted(s, seen.W, seen.H)
	d, changed := e.decl(s.Params), 0
	for _, p := range decls {
		if s.Params.Value(p.Key) != p.Default {
			changed++
		}
	}
	others := fmt.Sprintf("The %s of %s, all at the default", screen.Counted(len(decls), "parameter"), s.Params.Title)
	if n := changed; n > 0 {
		others = fmt.Sprintf("The %s of %s, %d of them changed from the default, and bright", screen.Counted(len(decls), "parameter"), s.Params.Title, n)
	}
	if shown := min(room, len(decls)); shown < len(decls) {
		others += fmt.Sprintf("; %d to %d are in sight", top+1, top+shown)
	}
	list := []explain.Element{{Kind: explain.Panel, Name: "the editor", Term: "surrogate", Where: seen.Panel(),
		Says: fmt.Sprintf("The parameters of %s are edited: the belief follows each change at once, and the session keeps it, so that u can take it back.", s.Params.Title)},
		{Kind: explain.Number, Name: "parameters", Says: others + ".", Where: seen.Rows(0, room)}}
	at := e.selected - top
	says := Says(d, s.Params.Value(d.Key))
	if e.field.Open() {
		says = fmt.Sprintf("A value of %s is typed, “%s”: enter takes it, esc leaves %s.", strings.Join(strings.Fields(d.Label), " "), explain.Brief(e.field.Text(), 10), d.Format(s.Params.Value(d.Key)))
		if reason := e.field.Reason(); reason != "" {
			says += " It cannot be taken yet: " + explain.Brief(reason, 14) + "."
		}
	}
	list = append(list, explain.Element{Kind: explain.Number, Name: strings.Join(strings.Fields(d.Label), " "), Term: term(d), Says: says, Where: seen.Rows(at, at+1)})
	if len(help) < 2 {
		return list
	}
	told := fmt.Sprintf("What there is to know of it: it may be %s", explain.Brief(d.Range(), 16))
	if d.Source != "" {
		told += ", and comes from " + explain.Brief(d.Source, 12)
	}
	if text := scaled(s); text != "" {
		told += ". In the model's own units the fit found " + explain.Brief(strings.TrimPrefix(text, "scaled: "), 12)
	}
	return append(list, explain.Element{Kind: explain.Prose, Name: "what it is", Term: term(d), Says: told + ".", Where: seen.Rows(room+1, room+len(help))})
}
