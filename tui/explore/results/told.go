package results

import (
	"fmt"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the list of what is out, whose panel of w×h cells stands in a column and row of the window.
func Elements(s mode.Scene, left, top, w, h int) []explain.Element {
	list := Waiting(s.State)
	seen := mode.Seen{Left: left, Top: top, W: w, H: h}
	says := "What was suggested and waits for its result: enter takes it, in whatever order results come."
	if !s.ByHand {
		says = "What is being evaluated, or waits for that."
	}
	all := []explain.Element{{Kind: explain.Panel, Name: "what is out", Term: "point that is out", Says: says + map[bool]string{true: fmt.Sprintf(" Of %d points the oldest is first.", len(list))}[len(list) > 1], Where: seen.Panel()}}
	lines, from := fitted(s, w-4, h-2)
	room := h - 2
	if len(lines) > room && h > 3 {
		room--
		all = append(all, explain.Element{Kind: explain.Prose, Name: "more", Says: "There is no room for all that is out: enter shows the rest, with up and down.", Where: seen.Rows(room, room+1)})
	}
	for i, p := range list {
		to := len(lines)
		if i+1 < len(from) {
			to = from[i+1]
		}
		if from[i] < room {
			all = append(all, explain.Element{Kind: explain.Number, Name: "point " + p.Label(), Term: "point that is out", Says: saysOf(s, p), Where: seen.Rows(from[i], min(to, room))})
		}
	}
	return all
}

// saysOf tells a point that waits.
func saysOf(s mode.Scene, p Point) string {
	by := "suggested by " + safe.Text(who(p))
	if who(p) == "you" {
		by = "your own"
	}
	text := fmt.Sprintf("Point %s, %s", p.Label(), by)
	if age := Age(s, p.ID); age != "" {
		text += ", out for " + age
	}
	if text = strings.Replace(text, "out for just now", "just given out", 1); p.Batch != nil {
		text += fmt.Sprintf(", one of %d that were asked for at once", p.Batch.Points)
	}
	text += ": " + explain.Brief(screen.Point(s.State.Problem.Domain, p.X()), 12) + "."
	switch heard, runs := s.Running[p.ID]; {
	case runs && heard != "":
		text += " It is being evaluated, and said last: " + explain.Brief(heard, 12) + "."
	case runs:
		text += " It is being evaluated."
	}
	if missing := p.missing(); len(missing) > 0 {
		return text + fmt.Sprintf(" A part of its result is told; it waits for %s.", explain.Brief(strings.Join(missing, ", "), 8))
	}
	if reason := why(s, p); reason != "" {
		text += " Why: " + explain.Brief(reason, 16) + "."
	}
	return text
}

// Elements tells what is seen of the form: whose result is entered, and its fields, those of one kind together.
func (f *Form) Elements(s mode.Scene, seen mode.Seen) []explain.Element {
	t := turn{f, &mode.Turn{Scene: s}}
	p, ok := t.point()
	list := []explain.Element{{Kind: explain.Panel, Name: "the form", Term: "observation", Says: "Results are entered here; this point waits for none any more.", Where: seen.Panel()}}
	if !ok {
		return list
	}
	d := t.draft(p)
	typed := 0
	for i := range d.rows {
		if d.texts[i] != d.before[i] {
			typed++
		}
	}
	which := "the only one that is out"
	if n := len(Waiting(s.State)); n > 1 {
		which = fmt.Sprintf("one of %d that are out", n)
	}
	list[0].Says = fmt.Sprintf("The result of point %s is entered here, %s; of %s you changed %d. What is not known may stay empty; ctrl+s tells it, and only then it is on record.",
		p.Label(), which, screen.Counted(len(d.rows), "field"), typed)
	head, body, top, at := t.placed(p, seen.W, seen.H)
	if len(head) > 0 {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "the point", Term: "point that is out", Says: saysOf(s, p), Where: seen.Rows(0, len(head)-1)})
	}
	for i := 0; i < len(d.rows); {
		to := i + 1
		for to < len(d.rows) && d.rows[to].of(d.rows[i]) {
			to++
		}
		from, end := at[i][0], min(at[to-1][1], top+len(body))
		if d.rows[i].field == ran {
			from-- // with its heading
		}
		if from = max(from, top); from < end {
			name, says, term := t.field(d, i, to)
			list = append(list, explain.Element{Kind: explain.Number, Name: name, Term: term, Says: says, Where: seen.Rows(len(head)+from-top, len(head)+end-top)})
		}
		i = to
	}
	return list
}

// of reports whether a row is told with another one before it: the error with its value, and where it was run with all of that.
func (r row) of(first row) bool {
	return r.field == se && first.field == value && r.index == first.index || r.field == ran && first.field == ran
}

// field tells rows of the form that belong together.
func (t turn) field(d *draft, from, to int) (name, says, term string) {
	r, problem := d.rows[from], t.State.Problem
	typed := "nothing is typed yet"
	if text := strings.TrimSpace(d.texts[from]); text != "" {
		typed = "typed is " + explain.Brief(text, 10)
		if _, err := r.read(problem, text); err != nil {
			typed += ", which cannot be taken (" + explain.Brief(err.Error(), 12) + ")"
		}
	}
	name = safe.Text(r.label(problem))
	switch r.field {
	case value:
		o := problem.Measured()[r.index]
		text := fmt.Sprintf("What was measured of %s%s: %s", name, map[bool]string{true: "", false: " in " + safe.Text(o.Unit)}[o.Unit == ""], typed)
		if hint, _, doubt := t.hint(r, d, from); hint != "" && o.Limited() {
			text += "; it has a " + strings.TrimPrefix(hint, "beyond the ")
		} else if hint != "" && doubt {
			text += ", " + hint + ", which is asked back"
		} else if hint != "" {
			text += "; expected are " + hint
		}
		return name, text + ". Below it its standard error, if it is known: the model then trusts the value just so far.", "standard error"
	case ran:
		changed := 0
		for i := from; i < to; i++ {
			if d.texts[i] != d.before[i] {
				changed++
			}
		}
		return "where it was run", fmt.Sprintf("Where it was really run, %s: %s differ from what was suggested. The model learns from where it was, not from where it should have been.", screen.Counted(to-from, "variable"), map[bool]string{true: "none", false: fmt.Sprint(changed)}[changed == 0]), "observation"
	case cost:
		return name, fmt.Sprintf("What the evaluation cost, where that was measured: %s.", typed), "cost"
	case failed:
		return name, fmt.Sprintf("Why there is no value, if it failed: %s. A failure counts as an evaluation, though it gives no value.", typed), "observation"
	case amiss:
		return name, fmt.Sprintf("Why what was told before was wrong: %s. It stands in the record beside what is told anew.", typed), "observation"
	case se:
		return name, fmt.Sprintf("The standard error of what is on record already: %s.", typed), "standard error"
	}
	return name, fmt.Sprintf("A note on this result: %s. It stays with it in the record, and is the reason if the point is rejected.", typed), ""
}
