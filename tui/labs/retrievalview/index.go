package retrievalview

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

// index draws the inverted index: the lists of all dimensions, filled if the query reads them; the cost of the query;
// and how long searches took, if they were timed.
func (d drawing) index(w, h int) *layout.Box {
	const term = "inverted index"
	query := d.computed.query
	title := d.shuffled(fmt.Sprintf("list lengths; query %d reads the filled ones", query+1))
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, term)
	}
	says := func() string {
		return fmt.Sprintf("The inverted index has a list for each dimension, with the rows in which it is active; the longest list is first. Query %d reads only the lists of its own active dimensions: %s.",
			query+1, d.each(len(d.runs), func(i int) string { return d.runs[i].reading(query) }))
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		lines := d.reads(w)
		lines = lines[:min(len(lines), max(h-4, 0))]
		charts := layout.Row()
		for i, in := range d.runs {
			charts.Beside(d.lists(i, in, (w-len(d.runs)+1)/len(d.runs), h-len(lines)))
		}
		return layout.Column(charts, layout.Column(lines...))
	})
}

// lists draws the lengths of the lists, the longest first; those that the query reads are filled.
func (d drawing) lists(run int, in runStats, w, h int) *layout.Box {
	order := make([]int, len(in.lengths))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in.lengths[b], in.lengths[a]) })
	read := make([]float64, len(order))
	rest := make([]float64, len(order))
	longest := 1.0
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
		match := "Its best match has the " + in.finds + "."
		if !strings.HasSuffix(in.finds, "class") {
			match = "It " + in.finds + "."
		}
		return fmt.Sprintf(
			"The number of rows in each of the %d lists, up to %d. Query %d reads the filled ones, with one multiplication per entry. %s",
			len(in.lengths), slices.Max(in.lengths), d.computed.query+1, match)
	})
}

// reads are the lines on the cost of the query, the timed searches, and the cost of all queries, the most useful first.
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
			st.Paint(st.Dim, " "+st.Dot()+" "+in.finds), "cost of the query", "inverted index",
			"The cost of one query: the number of lists that it reads, the number of their entries (a multiplication each), and whether its best match has the right class."))
		if in.race != nil {
			races = append(races, line(faint(in.race.String()), "search times", "inverted index",
				"Search times on this machine, with the index and without it (dense), over random rows that are as sparse as these, and the speedup."))
		}
		all = append(all, line(faint(in.counting()), "cost of all queries", "R_sub",
			"The mean cost of all queries, F multiplications per row; of a dense search; and of a search if all dimensions were equally active (uniform)."))
	}
	if len(races) == 0 || d.shuffle {
		return slices.Concat(first, all, races)
	}
	return slices.Concat(first, races, all)
}

// reading says how much of the index a query reads.
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

// counting says what all queries cost per row, and what they would cost if all dimensions were equally active.
func (in runStats) counting() string {
	j := in.current()
	even := float64(len(j.Active)) * j.Mean * j.Mean
	if in.shuffled == nil {
		return fmt.Sprintf("F = %s per row on average; dense %d, uniform %s", widget.Number(j.Flops), len(j.Active),
			widget.Number(even))
	}
	short := func(v float64) string { return widget.NumberIn(v, 4) }
	return fmt.Sprintf("shuffled: F %s→%s (uniform %s), recall %s→%s %%", short(in.judgement.Flops), short(j.Flops),
		short(even), short(in.judgement.Recall1), short(j.Recall1))
}

// String is the search times with and without the index, and the speedup.
func (r searchTime) String() string {
	return fmt.Sprintf("update %d: index %s, dense %s, %s× (%d rows)", r.at, short(r.Sparse), short(r.Dense),
		widget.NumberIn(r.Speedup(), 4), r.Rows)
}

// short formats a search time.
func short(t time.Duration) string {
	if t < time.Millisecond {
		return fmt.Sprintf("%d µs", t.Microseconds())
	}
	return widget.NumberIn(float64(t)/float64(time.Millisecond), 4) + " ms"
}
