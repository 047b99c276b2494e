package flops

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"bandscope/functions/retrieval"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
	"bandscope/tui/watch/told"
)

// Elements tells what is seen, panel by panel.
func (f *flops) Elements(at picture.Place, seen explain.Seen) (list []explain.Element) {
	book := &explain.Book{}
	d := newDrawing(at, book)
	f.drawn(d, at)
	tellers := []struct {
		title string
		tell  func(p *explain.Part, charts []explain.Shown) []explain.Element
	}{
		{"how often each dimension", d.tellActivity}, {"on the minibatches", d.tellLosses}, {"what is found", d.tellFront},
		{"two activations", d.tellPlane}, {"rows of each list", d.tellIndex}, {"", d.tellHeat},
	}
	for _, p := range seen.Parts() {
		if p.Left >= at.W {
			continue
		}
		for _, t := range tellers {
			if strings.HasPrefix(p.Title, t.title) {
				list = append(list, t.tell(&p, book.In(&p))...)
				break
			}
		}
	}
	return append(list, d.tellNumbers(seen)...)
}

// waits tells a panel in which nothing is drawn yet.
func waits(p *explain.Part, term string) []explain.Element {
	text := strings.Join(strings.Fields(strings.Join(p.Lines, " ")), " ")
	return []explain.Element{p.Panel(term, "Nothing is drawn here yet."), p.Prose("what is missing", term, "Why nothing is drawn here: "+strings.TrimSuffix(text, ".")+".", 0, len(p.Lines))}
}

// each says something of each run, with its name where there are two.
func (d drawing) each(say func(run int) string) string {
	var parts []string
	for i := range d.runs {
		text := say(i)
		if len(d.runs) > 1 {
			text = d.name(i) + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func (d drawing) tellActivity(p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(charts) == 0 {
		return waits(p, "FLOPs per row")
	}
	c := charts[0]
	whole := "How often each dimension of the embeddings of unseen classes is not 0, the busiest first. A dimension costs a search the square of that: "
	if d.dealt {
		whole = "The same values, each dealt to another dimension at random: as many are not 0, but none is busier for a reason. Now "
	}
	list := []explain.Element{p.Panel("FLOPs per row", whole+d.each(func(i int) string {
		j := d.runs[i].shown()
		return fmt.Sprintf("%d dimensions, on the mean active at %s, make F %s", len(j.Active), screen.Number(j.Mean), screen.Number(j.Flops))
	})+".")}
	list = append(list, c.Layers(func(name string) (string, string) {
		in := d.runs[0]
		j := in.shown()
		switch {
		case name == "dead":
			return "Dimensions that no embedding has: " + d.each(func(i int) string {
				return fmt.Sprintf("%d of %d", d.runs[i].shown().Dead, len(d.runs[i].order))
			}) + ". They cost nothing and tell nothing, and no gradient of the loss brings them back.", "dead dimension"
		case strings.HasPrefix(name, "mean "):
			return fmt.Sprintf("The mean, %s. Were every dimension as busy, a search would cost F %s; it costs %s, %s times that, because they are not.", screen.Number(j.Mean), screen.Number(float64(len(j.Active))*j.Mean*j.Mean),
				screen.Number(j.Flops), number(j.Sub, 6)), "R_sub"
		}
		for i := range d.runs {
			if in := d.runs[i]; strings.HasPrefix(name, d.name(i)) {
				p := in.active()
				text := fmt.Sprintf("From the busiest dimension, active at %s of 1, to the idlest, at %s.", screen.Number(p[in.order[0]]), screen.Number(p[in.order[len(p)-1]]))
				if _, off, ok := strings.Cut(name, " is off by "); ok {
					text += fmt.Sprintf(" The toy of a normal preactivation, Φ(β/|γ|), foretells these from the last layer's own parameters but for %s.", off)
				}
				return text, "R_sub"
			}
		}
		return "", ""
	})...)
	return append(list, c.Axes(fmt.Sprintf("How often a dimension is not 0: a probability, from 0 to %s.", screen.Number(c.Chart.Y.Max)), fmt.Sprintf("The %d dimensions, the busiest at the left; each run has its own order.", int(c.Chart.X.Max)))...)
}

func (d drawing) tellLosses(p *explain.Part, charts []explain.Shown) []explain.Element {
	if d.State.Step == 0 {
		return waits(p, "annealing")
	}
	lab := d.State.Lab
	list := []explain.Element{p.Panel("FLOPs relaxation", fmt.Sprintf("What the updates measure on their minibatches: the two parts of the loss, which fight, and what becomes of the activations, at update %d of %d.", d.State.Step, d.State.Of))}
	for _, c := range charts {
		list = append(list, c.Layers(func(name string) (string, string) {
			if name == "metric loss" {
				return "The part of the loss that wants classes told apart: " + d.courses(colMetric) + ".", ""
			}
			if name != "λ(t)·reg" {
				return "", ""
			}
			return "The part that wants sparse embeddings, with its annealed weight: " + d.courses(colPenalty) + ". It rises with the weight, then falls as dimensions go out.", "annealing"
		})...)
		list = append(list, c.Axes("Values of both parts of the loss.", fmt.Sprintf("Updates, from 0 to %d, of which %d are done.", d.State.Of, d.State.Step))...)
	}
	if head := p.Words(regexp.MustCompile(regexp.QuoteMeta(d.Style.Plain(d.Style.Glyph(picture.Glyph(0))+" "+d.name(0))) + `  .*`)); head != nil && len(d.State.Runs) > 1 {
		list = append(list, explain.Element{Kind: explain.Number, Name: "runs", Where: head, Says: "The columns below are of the two runs: " + d.name(0) + " and " + d.name(1) + "."})
	}
	seenRows := map[string]bool{}
	for _, q := range d.quantities() {
		where := p.Words(regexp.MustCompile(regexp.QuoteMeta(d.Style.Plain(q.label)) + ` +[-–0-9].*`))
		if where == nil || seenRows[q.key] {
			continue
		}
		seenRows[q.key] = true
		list = append(list, explain.Element{Kind: explain.Number, Name: q.label, Term: terms[q.key], Where: where,
			Says: fmt.Sprintf("%s. Measured is %s; the bars behind are its course.", strings.ToUpper(lab.Columns[lab.Column(q.key)].Help[:1])+lab.Columns[lab.Column(q.key)].Help[1:], d.courses(q.key))})
	}
	return list
}

// terms are the words of the glossary for columns.
var terms = map[string]string{colRelaxation: "FLOPs relaxation", colL1: "ℓ1", colWeight: "annealing", colSub: "R_sub", colDead: "dead dimension", colFlops: "FLOPs per row"}

// courses tells how a column went, of every run.
func (d drawing) courses(key string) string {
	var parts []string
	for i, r := range d.State.Runs {
		text := told.Course(r, d.State.Lab.Column(key))
		if len(d.State.Runs) > 1 {
			text += " (" + d.name(i) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func (d drawing) tellFront(p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(charts) == 0 {
		return waits(p, "recall")
	}
	c := charts[0]
	now := func(i int) string {
		t := d.trail[i]
		n := len(t.at) - 1
		if n < 0 {
			return "not judged yet"
		}
		return fmt.Sprintf("recall@1 %s %% for F %s at update %d", screen.Number(t.hit[n]), screen.Number(t.flops[n]), t.at[n])
	}
	list := []explain.Element{p.Panel("recall", "What search finds among classes that were never seen, against what it costs: up and to the left is better. "+d.eachTrail(now)+".")}
	list = append(list, c.Layers(func(name string) (string, string) {
		switch name {
		case "now":
			return "Where the training is now: " + d.eachTrail(now) + ".", "recall"
		case "front so far":
			return "The front of all that was seen: with so many multiplications a row at most, so much was found. What lies below it is beaten in both.", "Pareto front"
		case "runs before":
			return fmt.Sprintf("What %s reached that were watched before with other parameters, each judgement a speck.", screen.Counted(len(d.past), "run")), "recall"
		}
		for i, t := range d.trail {
			if name == d.name(i) && len(t.at) > 0 {
				return fmt.Sprintf("The way of this run, a mark every %d updates: from recall@1 %s %% at F %s to %s %% at F %s.", beads, screen.Number(t.hit[0]), screen.Number(t.flops[0]), screen.Number(t.hit[len(t.at)-1]), screen.Number(t.flops[len(t.at)-1])), "recall"
			}
		}
		return "", ""
	})...)
	return append(list, c.Axes("Of 400 queries of unseen classes, the percent whose best row is of their class.", "F: multiplications for each row that is searched, by factors; without an index it is the number of dimensions.")...)
}

// eachTrail says something of each run that was judged.
func (d drawing) eachTrail(say func(run int) string) string {
	var parts []string
	for i := range d.trail {
		text := say(i)
		if len(d.trail) > 1 {
			text = d.name(i) + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func (d drawing) tellPlane(p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(d.toys) == 0 {
		return waits(p, "FLOPs relaxation")
	}
	list := []explain.Element{p.Panel("FLOPs relaxation", fmt.Sprintf("Two activations that nothing but a regularizer drives, from probabilities of 0.4 and 0.1, as far as time τ = %s, which goes along with update %d. On the fine line both are as busy.", screen.NumberIn(d.tau, 5), d.State.Step))}
	for _, c := range charts {
		list = append(list, c.Axes("p₂, how often the idle activation is not 0, up to 0.11.", "p₁, how often the busy activation is not 0, up to 0.45; times at which all flows have a mark are 0.5, 1, 2, 5, 10 and so on.")...)
	}
	if where := p.Words(regexp.MustCompile(`(τ|\?|tau) +[0-9.e…-]+ +(p.*)`)); where != nil {
		list = append(list, explain.Element{Kind: explain.Number, Name: "τ, p₁, p₂, R_sub", Term: "R_sub", Where: where,
			Says: fmt.Sprintf("What the flows have reached at time τ = %s: both probabilities, and R_sub, by how much the search costs more than with both as busy.", screen.NumberIn(d.tau, 5))})
	}
	for _, t := range d.toys {
		n := len(t.p[0]) - 1
		q := [2]float64{t.p[0][n], t.p[1][n]}
		where := p.Words(regexp.MustCompile(regexp.QuoteMeta(d.Style.Plain(t.norm.String())) + ` +[0-9].*`))
		if where == nil {
			continue
		}
		list = append(list, explain.Element{Kind: explain.Number, Name: t.norm.String(), Term: "FLOPs relaxation", Where: where,
			Says: fmt.Sprintf("The flow of %s has come to p₁ = %.3f and p₂ = %.3f. At its beginning the busy one was 4 times the idle one, now it is %.2f times. R_sub is %.3f, where 1 is even.", t.norm, q[0], q[1], q[0]/q[1], retrieval.Sub(q[:]))})
	}
	return list
}

func (d drawing) tellIndex(p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(d.runs) == 0 {
		return waits(p, "inverted index")
	}
	query := d.known.query
	list := []explain.Element{p.Panel("inverted index", fmt.Sprintf("The inverted index: a list for each dimension of the rows that have it, the longest first. Query %d reads only the lists of its own dimensions: %s.", query+1, d.each(func(i int) string { return d.runs[i].reading(query) })))}
	for i, c := range charts {
		in := d.runs[min(i, len(d.runs)-1)]
		finds := in.finds
		if strings.HasSuffix(finds, "class") {
			finds = "finds a row of the " + finds + " first"
		}
		list = append(list, explain.Element{Kind: explain.Mark, Name: "lists", Term: "inverted index", Where: c.All(),
			Says: fmt.Sprintf("How many rows each of %d lists has, up to %d. The filled ones are read for query %d, each entry one multiplication: it %s.", len(in.lengths), slices.Max(in.lengths), query+1, finds)})
	}
	for i := range p.Lines {
		text := strings.TrimSpace(p.Lines[i])
		switch {
		case strings.Contains(text, " lists, "):
			list = append(list, p.Prose("what the query reads", "inverted index", "What one query costs: how many of the lists it reads, how many of their entries it has to multiply by, and whether the row that it finds first is of its class.", i, i+1))
		case strings.Contains(text, "race at"):
			list = append(list, p.Prose("race", "inverted index", "A race timed on this machine: search by the index against multiplying all, over rows as sparse as these, and how many times faster it is.", i, i+1))
		case strings.Contains(text, "all queries:"), strings.Contains(text, "jumbled:"):
			list = append(list, p.Prose("what all queries read", "R_sub", "The mean over all queries, F multiplications a row: beside what searching all dimensions takes, and what it would be if the same activity were spread evenly.", i, i+1))
		}
	}
	return list
}

func (d drawing) tellHeat(p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(charts) == 0 {
		return waits(p, "embedding")
	}
	whole := fmt.Sprintf("Embeddings of queries, a row each, %d of a class below each other: what classes share stands in columns. A dimension that is dark all the way down is not used by these.", retrieval.QueriesPerClass)
	if d.dealt {
		whole = fmt.Sprintf("Embeddings of queries, a row each, their values dealt to other dimensions at random: the %d of a class share nothing any more, and so nothing is found by them.", retrieval.QueriesPerClass)
	}
	list := []explain.Element{p.Panel("", whole)}
	for i, c := range charts {
		in := d.runs[min(i, len(d.runs)-1)]
		used := 0.0
		for _, e := range in.asked {
			for _, v := range e {
				if v != 0 {
					used++
				}
			}
		}
		where := c.All()
		if p.Top+1 == c.Top {
			where = func() []plot.Span { return append(c.All()(), p.Rows(c.H, c.H+1)()...) }
		}
		list = append(list, explain.Element{Kind: explain.Mark, Name: "embeddings", Term: "", Where: where,
			Says: fmt.Sprintf("The absolute values, the busiest dimension at the left: a query has %s of %d dimensions on the mean.", screen.Number(math.Round(10*used/float64(max(len(in.asked), 1)))/10), len(in.order))})
	}
	return append(list, p.Colours(fmt.Sprintf("The colours: absolute values from 0 to %s, all above alike.", screen.Number(brightest)), 8))
}

// tellNumbers tells the lines below the panels.
func (d drawing) tellNumbers(seen explain.Seen) (list []explain.Element) {
	said := []struct {
		pattern *regexp.Regexp
		name    string
		term    string
		says    func(j retrieval.Judgement) string
	}{
		{regexp.MustCompile(`recall@1 [0-9.e-]+ %`), "recall@1", "recall", func(j retrieval.Judgement) string {
			return fmt.Sprintf("Of 400 queries of classes that the training never sees %s %% find a row of their class first; by chance it would be 1 %%.", screen.Number(j.Recall1))
		}},
		{regexp.MustCompile(`F [0-9.e-]+`), "F", "FLOPs per row", func(j retrieval.Judgement) string {
			return fmt.Sprintf("F, multiplications for each row that is searched: %s, where searching all of the %d dimensions takes %d.", screen.Number(j.Flops), len(j.Active), len(j.Active))
		}},
		{regexp.MustCompile(`mean [0-9.e-]+`), "mean", "FLOPs per row", func(j retrieval.Judgement) string {
			return fmt.Sprintf("The mean probability of a dimension to be active, %s: of %d dimensions an embedding has %s.", screen.Number(j.Mean), len(j.Active), screen.Number(j.Mean*float64(len(j.Active))))
		}},
		{regexp.MustCompile(`R_sub \S+`), "R_sub", "R_sub", func(j retrieval.Judgement) string {
			return fmt.Sprintf("F over what it would be with the same mean evenly spread: %s; 1 is even.", number(j.Sub, 6))
		}},
		{regexp.MustCompile(`dead [0-9]+`), "dead", "dead dimension", func(j retrieval.Judgement) string {
			return fmt.Sprintf("Dimensions that no embedding of an unseen class has: %d of %d.", j.Dead, len(j.Active))
		}},
		{regexp.MustCompile(`precision@4 [0-9.e-]+ %`), "precision@4", "recall", func(j retrieval.Judgement) string {
			return fmt.Sprintf("Of the four best rows of a query %s %% are of its class.", screen.Number(j.Precision4))
		}},
		{regexp.MustCompile(`dense/F \S+`), "dense/F", "FLOPs per row", func(j retrieval.Judgement) string {
			return fmt.Sprintf("How many times fewer multiplications a search takes than one through all dimensions: %s.", fewer(j))
		}},
		{regexp.MustCompile(`index [0-9.e-]+ B a row`), "index", "inverted index", func(j retrieval.Judgement) string {
			return fmt.Sprintf("How large the inverted index is: %s bytes for each row.", screen.Number(j.IndexBytes))
		}},
	}
	from := d.H + 2 - len(d.State.Runs)
	for i, r := range d.State.Runs {
		row := from + i
		if i >= len(d.runs) || r.Failed != "" {
			says := "What this run is trained with; it is being looked inside of."
			if r.Failed != "" {
				says = "What this run is trained with, and why it ended early: " + strings.TrimSuffix(r.Failed, ".") + "."
			}
			list = append(list, explain.Element{Kind: explain.Number, Name: "run " + d.name(i), Says: says, Where: seen.Row(row)})
			continue
		}
		list = append(list, explain.Element{Kind: explain.Number, Name: "run " + d.name(i), Says: fmt.Sprintf("What this run is trained with, %s, and behind it what its embeddings of unseen classes are worth at update %d.", d.name(i), d.State.Step),
			Where: seen.Words(row, 0, regexp.MustCompile(`\S.*?  `))})
		for _, s := range said {
			if where := seen.Words(row, 0, s.pattern); where != nil {
				list = append(list, explain.Element{Kind: explain.Number, Name: s.name, Term: s.term, Says: s.says(d.runs[i].judged), Where: where})
			}
		}
	}
	return list
}
