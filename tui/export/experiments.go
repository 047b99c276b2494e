package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// reportData is the data of the page's tables and steps.
type reportData struct {
	session *sessions.Session
	state   sessions.State
	history sessions.History
	chosen  map[string]sessions.Suggestion // by the id of the iteration
	costs   bool                           // experiments differ in cost
	photos  *photos                        // nil: notes only name their photographs
}

func newReportData(s *sessions.Session) (reportData, error) {
	b := reportData{session: s, state: s.State(), chosen: map[string]sessions.Suggestion{}}
	var err error
	b.history, err = s.History()
	if err != nil {
		return b, err
	}
	list, err := s.Suggestions()
	if err != nil {
		return b, err
	}
	for _, m := range list {
		b.chosen[m.Iteration.ID] = m
	}
	b.costs = b.state.Problem.Cost != nil
	for _, it := range b.state.Iterations {
		b.costs = b.costs || slices.ContainsFunc(it.Points, func(pt sessions.Point) bool { return pt.Cost != 1 })
	}
	return b, nil
}

// tableRows bounds the rows of the table of experiments.
const tableRows = 2000

// table lists the experiments and the pending points.
func (r *contents) table(b reportData) {
	head := append([]cell{{Text: "no.", Number: true}, {Text: "date"}}, placeHead(b.state.Problem)...)
	for _, o := range b.state.Problem.Outputs() {
		head = append(head, column(o.Name, o.Unit))
	}
	if b.costs {
		head = append(head, cell{Text: "cost", Number: true})
	}
	head = append(head, cell{Text: "chosen by"}, cell{Text: "remarks"})
	r.Table.Head = head
	for _, it := range b.state.Iterations {
		for i := range it.Points {
			if len(r.Table.Rows) == tableRows {
				r.Cut++
				continue
			}
			r.Table.Rows = append(r.Table.Rows, b.row(it, i))
		}
	}
	for _, it := range b.state.Pending {
		for i := range it.Points {
			if r.Out == nil {
				r.Out = &table{Head: head}
			}
			if len(r.Out.Rows) == tableRows {
				r.OutCut++
				continue
			}
			r.Out.Rows = append(r.Out.Rows, b.row(it, i))
		}
	}
	r.Table.aligned()
	if r.Out != nil {
		r.Out.aligned()
	}
}

// row is one point of an iteration, with or without results.
func (b reportData) row(it sessions.Iteration, i int) row {
	name := fmt.Sprint(it.Number)
	if len(it.Points) > 1 {
		name += fmt.Sprintf(".%d", i+1)
	}
	asked, reported := stamp(b.session.RecordedAt(it.ID)), stamp(b.history.CompletedAt[it.ID])
	date := cell{Text: cmp.Or(reported, asked), Time: true}
	if reported != "" && reported != asked {
		date.More = []string{"suggested " + asked}
	}
	cells := []cell{{Text: name, Number: true}, date}
	cells = append(cells, placeCells(b.state.Problem, it.Points[i].X, it.Points[i].Suggested)...)
	for k := range b.state.Problem.Outputs() {
		cells = append(cells, value(it, i, k))
	}
	if b.costs {
		c := cell{Number: true}
		if it.HasResults() {
			c = number(it.Points[i].Cost)
		}
		cells = append(cells, c)
	}
	who := words("%s", it.By)
	if why := b.why(it, i); why != nil {
		who.More = []string{strings.Join(why, " · ")}
	}
	who.More = append(who.More, authors(it)...)
	lines := remarks(b.state, it, i)
	remark := cell{}
	if len(lines) > 0 {
		remark = cell{Text: lines[0], More: lines[1:]}
	}
	return row{Cells: append(cells, who, remark), Failed: it.HasResults() && it.Points[i].Failed && !it.IncompleteAt(i)}
}

// authors say who asked for the points of an iteration, and who reported their results.
func authors(it sessions.Iteration) (texts []string) {
	asked, author := authorName(it.AskedBy), authorName(it.ToldBy)
	switch {
	case asked != "" && asked == author:
		return []string{sanitize.Text("asked and reported by " + author)}
	case asked != "":
		texts = append(texts, sanitize.Text("asked by "+asked))
	}
	if author != "" {
		texts = append(texts, sanitize.Text("reported by "+author))
	}
	return texts
}

// authorName is a short name of an author; the table of authors has the way. It is empty for an unknown one.
func authorName(author sessions.Author) string { return cmp.Or(author.Name, author.Kind) }

// people lists the known authors with how much each recorded, by which way and when.
func (r *contents) people(s *sessions.Session) {
	all := s.Contributions()
	if len(all) == 0 {
		return
	}
	t := &table{Head: []cell{{Text: "author"}, {Text: "kind"}, {Text: "way"}, {Text: "suggestions", Number: true},
		{Text: "results", Number: true}, {Text: "other changes", Number: true}, {Text: "last"}}}
	count := func(n int) cell { return cell{Text: fmt.Sprint(n), Number: true} }
	for _, c := range all[:min(len(all), maxPeople)] {
		t.Rows = append(t.Rows, row{Cells: []cell{words("%s", c.Name), words("%s", c.Kind), words("%s", c.Via),
			count(c.Suggestions), count(c.Results), count(c.Others), {Text: stamp(c.Last), Time: true}}})
	}
	r.People, r.PeopleCut = t, len(all)-len(t.Rows)
}

// maxPeople bounds how many authors are listed.
const maxPeople = 100

// value is the value of an objective at a point, with its standard error.
func value(it sessions.Iteration, i, k int) cell {
	if it.Points[i].Y == nil {
		return cell{Number: true}
	}
	c := number(it.Points[i].Y[k])
	if it.Points[i].SE != nil && it.Points[i].SE[k] > 0 && !math.IsInf(it.Points[i].SE[k], 0) {
		c.More = []string{"± " + numfmt.Format(it.Points[i].SE[k])}
	}
	return c
}

// why describes the choice of a point: parameters that differ from their defaults, the prediction, and the note of the
// method.
func (b reportData) why(it sessions.Iteration, i int) []string {
	var texts []string
	if m, ok := b.chosen[it.ID]; ok && it.By == m.Before.Spec.Name {
		changed := m.Before.Params.Changed()
		for _, key := range slices.Sorted(maps.Keys(changed)) {
			if d, err := m.Before.Params.Decl(key); err == nil {
				texts = append(texts, key+" = "+d.Format(changed[key]))
			}
		}
	}
	pt := it.Points[i]
	if objectives := b.state.Problem.Objectives; len(objectives) == 1 && !math.IsNaN(pt.Mean) && !math.IsNaN(pt.SD) {
		texts = append(texts, fmt.Sprintf("predicted %s%s (sd)", numfmt.Format(pt.Mean),
			objectives[0].Transform().FormatSD(pt.Mean, pt.SD, numfmt.Format)))
	}
	if !math.IsNaN(pt.Acquisition) {
		texts = append(texts, "acquisition "+numfmt.Format(pt.Acquisition))
	}
	if it.Weights != nil {
		texts = append(texts, "λ = "+numfmt.List(it.Weights, ", "))
	}
	if it.Note != "" {
		texts = append(texts, it.Note)
	}
	return safeTexts(texts)
}

// beyond lists the values beyond their limits.
func beyond(p *functions.Problem, values []float64) string {
	var texts []string
	for k, o := range p.Outputs() {
		if !o.Holds(values[k]) {
			texts = append(texts, fmt.Sprintf("%s is %s, but must be %s", o.Name, numfmt.Format(values[k]), o.LimitText()))
		}
	}
	return strings.Join(texts, ", ")
}

// remarks are the remarks on a point: a failure with its reason, missing values, values before corrections, and the
// note on the result.
func remarks(st sessions.State, it sessions.Iteration, i int) []string {
	var texts []string
	switch {
	case it.IncompleteAt(i) && it.HasResults() && len(it.Points[i].Missing) < len(st.Problem.Outputs()):
		texts = append(texts, "still missing: "+strings.Join(it.Points[i].Missing, ", "))
	case it.IncompleteAt(i):
	case it.HasResults() && it.Points[i].Failed && it.Points[i].Reason != "":
		texts = append(texts, "failed: "+it.Points[i].Reason)
	case it.HasResults() && it.Points[i].Failed:
		texts = append(texts, "no value")
	case it.HasResults() && !st.Feasible(it, i):
		texts = append(texts, "beyond a limit: "+beyond(st.Problem, it.Points[i].Y))
	}
	for _, c := range it.Corrections {
		if c.Point == i {
			texts = append(texts, strings.TrimSuffix(fmt.Sprintf("was %s: %s", c.DescribeOld(), c.Reason), ": "))
		}
	}
	if it.Points[i].Note != "" {
		texts = append(texts, it.Points[i].Note)
	}
	return safeTexts(texts)
}

func safeTexts(list []string) []string {
	for i, s := range list {
		list[i] = unbroken(sanitize.Text(s))
	}
	return list
}
