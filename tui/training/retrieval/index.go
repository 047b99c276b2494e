package retrieval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// index is the inverted index as one query reads it: the lists of all dimensions, those that it reads filled; what that
// costs; and a race, if there was one.
func (d drawing) index(w, h int) *layout.Box {
	const term = "inverted index"
	query := d.computed.query
	title := d.shuffled(fmt.Sprintf("rows of each list; query %d reads the filled", query+1))
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, term)
	}
	says := func() string {
		return fmt.Sprintf("The inverted index: a list for each dimension of the rows that have it, the longest "+
			"first. Query %d reads only the lists of its own dimensions: %s.", query+1,
			d.each(len(d.runs), func(i int) string { return d.runs[i].reading(query) }))
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		said := d.reads(w)
		said = said[:min(len(said), max(h-4, 0))]
		charts := layout.Row()
		for i, in := range d.runs {
			charts.Beside(d.lists(i, in, (w-len(d.runs)+1)/len(d.runs), h-len(said)))
		}
		return layout.Column(charts, layout.Column(said...))
	})
}

// lists are the lengths of the lists, the longest first; those that the query reads are filled.
func (d drawing) lists(run int, in runStats, w, h int) *layout.Box {
	order := make([]int, len(in.lengths))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in.lengths[b], in.lengths[a]) })
	read, rest, longest := make([]float64, len(order)), make([]float64, len(order)), 1.0
	for k, j := range order {
		longest = max(longest, float64(in.lengths[j]))
		read[k], rest[k] = float64(in.lengths[j]), math.NaN()
		if in.queries[d.computed.query][j] == 0 {
			read[k], rest[k] = rest[k], read[k]
		}
	}
	x, filled := stairs(read)
	_, outlined := stairs(rest)
	st := d.Style
	plot := chart.Chart{X: chart.Axis{Label: "lists", Max: float64(len(order)), Integer: true, HideTicks: h < 5},
		Y: chart.Axis{Max: longest}, Layers: []chart.Layer{
			chart.Area{X: x, Y: filled, Color: st.Good},
			chart.Curve{X: x, Y: outlined, Color: d.color(run), Priority: 3},
		}}
	return plot.Box(w, h, st, chart.Description{}).Describe(layout.Mark, "lists", "inverted index", func() string {
		finds := in.finds
		if strings.HasSuffix(finds, "class") {
			finds = "finds a row of the " + finds + " first"
		}
		return fmt.Sprintf("How many rows each of %d lists has, up to %d. The filled ones are read for query %d, "+
			"each entry one multiplication: it %s.", len(in.lengths), slices.Max(in.lengths), d.computed.query+1, finds)
	})
}

// reads says what the query reads, how races went, and what all queries read: first what is most worth knowing.
func (d drawing) reads(w int) []*layout.Box {
	st := d.Style
	var first, races, all []*layout.Box
	for i, in := range d.runs {
		line := func(text, name, term, says string) *layout.Box {
			if len(d.runs) > 1 {
				text = d.mark(i) + " " + text
			}
			return layout.Text(w, " "+text).Prose(name, term, says)
		}
		faint := func(text string) string { return st.Paint(st.Dim, st.Plain(text)) }
		first = append(first, line(st.Paint(st.Good, in.reading(d.computed.query))+
			st.Paint(st.Dim, " "+st.Dot()+" "+in.finds), "what the query reads", "inverted index",
			"What one query costs: how many of the lists it reads, how many of their entries it has to multiply by, "+
				"and whether the row that it finds first is of its class."))
		if in.race != nil {
			races = append(races, line(faint(in.race.String()), "race", "inverted index",
				"A race timed on this machine: search by the index against multiplying all, over rows as sparse as "+
					"these, and how many times faster it is."))
		}
		all = append(all, line(faint(in.counting()), "what all queries read", "R_sub",
			"The mean over all queries, F multiplications a row: beside what searching all dimensions takes, and "+
				"what it would be if the same activity were spread evenly."))
	}
	if len(races) == 0 || d.shuffle {
		return slices.Concat(first, all, races)
	}
	return slices.Concat(first, races, all)
}

// reading tells how much of the index a query reads.
func (in runStats) reading(query int) string {
	lists, entries := 0, 0
	for j, v := range in.queries[query] {
		entries += in.lengths[j]
		if v != 0 {
			lists++
		}
	}
	return fmt.Sprintf("%d of %d lists, %d of %d entries", lists, len(in.lengths), in.touched, entries)
}

// counting tells what all queries read, for each row, and what they would if no dimension were busier than another.
func (in runStats) counting() string {
	j := in.current()
	even := float64(len(j.Active)) * j.Mean * j.Mean
	if in.shuffled == nil {
		return fmt.Sprintf("all queries: F %s a row; dense %d, even %s", widget.Number(j.Flops), len(j.Active),
			widget.Number(even))
	}
	short := func(v float64) string { return widget.NumberIn(v, 4) }
	return fmt.Sprintf("jumbled: F %s→%s (even %s), recall %s→%s %%", short(in.judgement.Flops), short(j.Flops),
		short(even), short(in.judgement.Recall1), short(j.Recall1))
}

// String tells how a race went.
func (r searchTime) String() string {
	return fmt.Sprintf("race at %d: %s, dense %s: %s× (%d rows)", r.at, short(r.Sparse), short(r.Dense),
		widget.NumberIn(r.Speedup(), 4), r.Rows)
}

// short writes how long a search took.
func short(t time.Duration) string {
	if t < time.Millisecond {
		return fmt.Sprintf("%d µs", t.Microseconds())
	}
	return widget.NumberIn(float64(t)/float64(time.Millisecond), 4) + " ms"
}
