package retrievalview

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer/retrieval"
	"bandscope/sessions/training"
	"bandscope/tui/labs/panel"
)

// request is the choices to compute the picture for.
type request struct {
	query   int
	shuffle bool
	race    bool
}

// computed is the computed values of a state.
type computed struct {
	request
	runs  []runStats
	flows []toyFlow
	tau   float64
	trail []trail // of the runs
	past  []trail // of earlier runs
}

// runStats is the measurements of a run.
type runStats struct {
	judgement retrieval.Metrics
	shuffled  *retrieval.Metrics // of the embeddings with shuffled dimensions; nil if they are not shuffled
	order     []int              // the dimensions, the most active first
	predicted []float64          // the probability of each dimension by the toy model
	queries   [][]float64        // embeddings of the first queries
	lengths   []int              // of the lists
	touched   int                // number of entries that the query reads
	finds     string             // whether its best match has the right class
	race      *searchTime
}

// searchTime is search times, and the number of updates before them.
type searchTime struct {
	retrieval.SearchTimes
	at int
}

// toyFlow is a flow of two activations up to a time.
type toyFlow struct {
	norm retrieval.Norm
	p    [2][]float64 // probabilities from the start
	on   [2][]float64 // at the shared times
}

// trail is the evaluations (F, recall) of a run, with the number of updates.
type trail struct {
	at         []int
	flops, hit []float64
}

func (l request) compute(ctx context.Context, state training.State, before any, progress panel.Progress) (any, error) {
	last, _ := before.(*computed)
	k := &computed{request: l}
	k.race = false
	for i, run := range state.Runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k.trail = append(k.trail, trailFor(state.Spec, run))
		if run.Model == nil {
			continue
		}
		t, ok := state.Spec.Unwrap(run.Model).(*retrieval.Training)
		if !ok {
			continue
		}
		in := l.inside(t, state.Spec, run)
		switch {
		case l.race:
			progress("timing the search", i, len(state.Runs))
			speed, err := retrieval.MeasureSearch(ctx, timedRows(len(in.judgement.Active)), in.active(), 1)
			if err != nil {
				return nil, err
			}
			in.race = &searchTime{speed, state.Step}
		case last != nil && i < len(last.runs) && len(last.runs) == len(state.Runs):
			in.race = last.runs[i].race
		}
		k.runs = append(k.runs, in)
	}
	k.tau = timeFor(float64(state.Step), state.Total)
	k.flows = computeFlows(state.Step, state.Total)
	k.past = pastTrails(last, k.trail)
	return k, nil
}

// timedRows is the number of rows in timed searches: 20,000, fewer if they are very long.
func timedRows(dim int) int { return min(20000, 5_000_000/dim) }

// inside measures the training of a run of a lab.
func (l request) inside(t *retrieval.Training, spec *training.Spec, run training.Run) runStats {
	rows, asking := t.Rows(), t.Queries()
	in := runStats{judgement: judge(rows, asking, spec, run), predicted: t.ActivationProbabilities()}
	if l.shuffle {
		rows, asking = retrieval.PermuteDimensions(rows, 1), retrieval.PermuteDimensions(asking, 2)
		j := retrieval.EvaluateEmbeddings(rows, asking)
		in.shuffled = &j
	}
	p := in.active()
	in.order = make([]int, len(p))
	for j := range p {
		in.order[j] = j
	}
	slices.SortStableFunc(in.order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	index := retrieval.NewIndex(rows)
	in.lengths = index.Lists()
	in.queries = make([][]float64, queries)
	for q := range in.queries {
		in.queries[q] = mat.Row(nil, q, asking)
	}
	hits, touched := index.Search(in.queries[l.query], 1, 0)
	in.touched = touched
	switch {
	case len(hits) == 0:
		in.finds = "finds nothing"
	case hits[0].Row/retrieval.RowsPerClass == l.query/retrieval.QueriesPerClass:
		in.finds = "right class"
	default:
		in.finds = "wrong class"
	}
	return in
}

// judge evaluates the embeddings of a run; it reuses the recorded values if the last update has them.
func judge(rows, asking *mat.Dense, spec *training.Spec, run training.Run) retrieval.Metrics {
	n := len(run.Trace)
	if n == 0 || math.IsNaN(run.Trace[n-1][spec.Column(colRecall)]) {
		return retrieval.EvaluateEmbeddings(rows, asking)
	}
	value := func(key string) float64 { return run.Trace[n-1][spec.Column(key)] }
	var both mat.Dense
	both.Stack(rows, asking)
	return retrieval.Metrics{Recall1: value(colRecall), Precision4: value("precision"), Flops: value(colSearch),
		Active: retrieval.ActivationRates(&both), Mean: value("unseen_mean"),
		Sub: value("unseen_sub"), Dead: int(value("unseen_dead")), IndexBytes: value("bytes")}
}

// active is the activation probability of each dimension, of the shown embeddings.
func (in runStats) active() []float64 { return in.current().Active }

// current is the evaluation of the shown embeddings.
func (in runStats) current() retrieval.Metrics {
	if in.shuffled != nil {
		return *in.shuffled
	}
	return in.judgement
}

// The flows reach τ = 150 at the end of the training. τ grows exponentially with the updates, because the flows slow
// down; a flow ends where the first activation reaches a probability of 0.01.
const (
	lastTau   = 150.0
	minP      = 0.01
	toyPoints = 200
)

// timeFor is the time τ of the flows after step of so many updates.
func timeFor(step float64, total int) float64 {
	return math.Pow(1+lastTau, step/float64(max(total, 1))) - 1
}

// shared are the times of the marks on every flow.
var shared = []float64{0.5, 1, 2, 5, 10, 20, 50, 100}

// computeFlows computes the flows up to the time after step of so many updates.
func computeFlows(step, total int) (all []toyFlow) {
	for _, n := range retrieval.Norms() {
		path, t := retrieval.NewPath(retrieval.NewToyModel(), n), toyFlow{norm: n}
		for i := range toyPoints + 1 {
			tau := timeFor(float64(step*i)/toyPoints, total)
			p := path.At(tau).Probabilities()
			if p[0] < minP {
				break
			}
			t.p[0], t.p[1] = append(t.p[0], p[0]), append(t.p[1], p[1])
			for k := len(t.on[0]); k < len(shared) && shared[k] <= tau; k++ {
				p := path.At(shared[k]).Probabilities()
				t.on[0], t.on[1] = append(t.on[0], p[0]), append(t.on[1], p[1])
			}
		}
		all = append(all, t)
	}
	return all
}

// trailFor is the trail of a run.
func trailFor(l *training.Spec, run training.Run) (t trail) {
	flops, recall := l.Column(colSearch), l.Column(colRecall)
	for i, row := range run.Trace {
		if flops < 0 || recall < 0 || math.IsNaN(row[flops]) || math.IsNaN(row[recall]) {
			continue
		}
		t.at = append(t.at, i+1)
		t.flops = append(t.flops, row[flops])
		t.hit = append(t.hit, row[recall])
	}
	return t
}

// maxPast bounds the number of earlier runs that are drawn.
const maxPast = 24

// pastTrails are the trails of earlier runs.
func pastTrails(last *computed, now []trail) []trail {
	if last == nil {
		return nil
	}
	copied := slices.Clone(last.past)
	for _, t := range last.trail {
		if len(t.at) > 0 && !slices.ContainsFunc(copied, t.same) {
			copied = append(copied, t)
		}
	}
	copied = slices.DeleteFunc(copied, func(t trail) bool { return slices.ContainsFunc(now, t.same) })
	return copied[max(len(copied)-maxPast, 0):]
}

// same reports whether one of two trails is a prefix of the other.
func (t trail) same(other trail) bool {
	n := min(len(t.at), len(other.at))
	return n > 0 && slices.Equal(t.flops[:n], other.flops[:n]) && slices.Equal(t.hit[:n], other.hit[:n])
}
