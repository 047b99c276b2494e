package asktell

import (
	"context"
	"time"

	"bandscope/functions/encoding"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// Status is the state of a session.
type Status struct {
	Problem    string         `json:"problem"`
	Optimizer  string         `json:"optimizer"`
	Seed       uint64         `json:"seed"`
	Steps      int            `json:"steps"`
	Budget     int            `json:"budget"`
	Cost       *report.Number `json:"cost,omitempty"`        // of all steps, if evaluations differ in cost
	CostBudget float64        `json:"cost_budget,omitempty"` // limit of the total cost
	Left       *int           `json:"left,omitempty"`        // points of a finite space that can be suggested
	// the place of the next new suggestion in the initial design
	Design  *sessions.DesignPlace `json:"initial_design,omitempty"`
	Repeats int                   `json:"repeats"` // evaluations of points that were evaluated before
	Pending []Point               `json:"out"`
	Best    *Best                 `json:"best"` // the best result, for a single objective
	// the best posterior mean; null without a model
	BestMean *Best `json:"best_by_the_model"`
	// how the model is approximated; empty if it is exact
	Inference string `json:"inference,omitempty"`
	// the largest expected improvement of another result
	Improvement *report.Number `json:"improvement_left,omitempty"`
	// the same for a log scale, in the decimal logarithm
	ImprovementLog10 *report.Number `json:"improvement_left_log10,omitempty"`
	// what further runs can gain
	Forecast *Forecast `json:"forecast,omitempty"`
	// the advice on stopping as text, or why there is none
	Stopping string    `json:"stopping,omitempty"`
	Outliers []Outlier `json:"strangers,omitempty"`
	Clipped  []Clipped `json:"clipped,omitempty"`  // values that are too large for the model
	NoModel  string    `json:"no_model,omitempty"` // why the model failed
	// for several objectives: the results that no other dominates
	Front      []Best       `json:"front,omitempty"`
	ModelFront []FrontPoint `json:"front_by_the_model,omitempty"`
	// a few representatives of both
	Clusters      []Cluster `json:"front_clusters,omitempty"`
	ModelClusters []Cluster `json:"front_by_the_model_clusters,omitempty"`
	FrontCaveat   string    `json:"doubt,omitempty"` // for several objectives: why the model cannot be trusted

	// who recorded what, those who recorded last first; only known authors
	Authors []Contribution `json:"authors,omitempty"`
	News    *News          `json:"news,omitempty"` // what others recorded since the session's author was last there
}

// News is what others recorded since a person last recorded something or closed the session.
type News struct {
	Since time.Time    `json:"since"`
	By    []AuthorNews `json:"by"`

	news sessions.News
}

// AuthorNews is how much an author recorded.
type AuthorNews struct {
	*sessions.Author     // nil if unknown
	Suggestions      int `json:"suggestions,omitempty"`
	Results          int `json:"results,omitempty"`
	Partial          int `json:"partial_results,omitempty"`
	Corrections      int `json:"corrections,omitempty"`
	Notes            int `json:"notes,omitempty"`
	Others           int `json:"others,omitempty"`
}

// Sentence describes the news, in the time zone of now.
func (n News) Sentence(now time.Time) string { return n.news.Sentence(now) }

// newsFor is the news for the session's author; nil for none.
func newsFor(s *sessions.Session) *News {
	n, ok := s.NewsFor(s.Author())
	if !ok {
		return nil
	}
	news := &News{Since: n.Since.UTC(), news: n}
	for _, a := range n.By {
		change := AuthorNews{nil, a.Suggestions, a.Results, a.Partial, a.Corrections, a.Notes, a.Others}
		if a.Author.Known() {
			change.Author = &a.Author
		}
		news.By = append(news.By, change)
	}
	return news
}

// Contribution is how much an author recorded.
type Contribution struct {
	sessions.Author
	Suggestions int       `json:"suggestions"`
	Results     int       `json:"results"`
	Others      int       `json:"others"` // partial results, notes and changes
	Last        time.Time `json:"last"`
}

// Outlier is a result that the other results do not predict.
type Outlier struct {
	Point     string        `json:"point"`
	Objective string        `json:"objective"`
	Z         report.Number `json:"z"` // by how many standard deviations it is above what the others predict
}

// Clipped is a value that is too large for the model, for example of a simulation that diverged.
type Clipped struct {
	Point  string        `json:"point"`
	Of     string        `json:"of"` // the objective or the limit
	Value  report.Number `json:"value"`
	As     report.Number `json:"as"`     // the value that the model uses instead
	Remedy string        `json:"remedy"` // the correction that withdraws it, if the evaluation failed
	text   string
}

// String says the same in a sentence.
func (c Clipped) String() string { return c.text }

// Best is a result, or a prediction of the model.
type Best struct {
	X     map[string]encoding.Value `json:"x"`
	Value map[string]report.Number  `json:"value"`
	SD    *report.Number            `json:"sd,omitempty"` // standard deviation of the prediction
	// the same for a log scale, of the decimal logarithm
	Log10 *report.Number `json:"log10_sd,omitempty"`
	Step  int            `json:"step,omitempty"`
	// probability that all limits are met, according to the model; absent without a limit or a model
	Feasible *report.Number `json:"feasible,omitempty"`

	input []float64
}

// Input is the point in the order of the variables.
func (b Best) Input() []float64 { return b.input }

// StatusWithoutModel is the part of the state of a session at the end of its branch that needs no model.
func StatusWithoutModel(s *sessions.Session) Status { return newSnapshot(s, time.Now()).status(s) }

// status is the part of the state that needs no model.
func (b snapshot) status(s *sessions.Session) Status {
	st := b.state
	status := Status{Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Steps: len(st.Iterations), Budget: st.Config.Budget,
		CostBudget: st.Config.CostBudget, Pending: b.pending, Design: st.NextDesignPlace()}
	if c, ok := st.PointCount(); ok {
		left := c.Left()
		status.Left = &left
	}
	for _, c := range s.Contributions() {
		status.Authors = append(status.Authors, Contribution{c.Author, c.Suggestions, c.Results, c.Others, c.Last.UTC()})
	}
	status.News = newsFor(s)
	if status.Pending == nil {
		status.Pending = []Point{}
	}
	status.Repeats = report.Repeats(st)
	if st.HasCosts() {
		spent := report.Number(st.TotalCost())
		status.Cost = &spent
	}
	if len(st.Problem.Objectives) > 1 {
		status.Front = frontFor(st)
		status.Clusters = frontClusters(st, status.Front)
	} else if x, y, step, ok := st.Best(); ok {
		status.Best = &Best{X: encoding.EncodeMap(st.Problem.Domain, x), input: x,
			Value: map[string]report.Number{st.Problem.Objectives[0].Name: report.Number(y)}, Step: step}
	}
	return status
}

// StatusFor is the state of a session at the end of its branch. It fits the model if necessary; if the fit fails,
// NoModel says why, and all fields that need no model are set. The error is that of the context.
func StatusFor(ctx context.Context, s *sessions.Session, progress sessions.Progress) (Status, error) {
	b := newSnapshot(s, time.Now())
	st, status := b.state, b.status(s)
	if st.Input().Data.X == nil {
		return status, nil
	}
	for _, c := range diagnostics.ClippedValues(st) {
		status.Clipped = append(status.Clipped,
			Clipped{Point: c.Label, Of: c.Quantity.Name, Value: report.Number(c.Value), As: report.Number(c.ClippedTo),
				Remedy: c.Remedy(), text: c.String()})
	}
	var a *diagnostics.Summary
	var f *diagnostics.Forecast
	err := parallel.PanicToError(func() (err error) {
		a, err = diagnostics.SummarizeBest(ctx, s, progress)
		if err == nil {
			f, err = diagnostics.ForecastRuns(ctx, s, progress)
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return status, ctx.Err()
	case err != nil:
		status.NoModel = sanitize.Text(err.Error())
	default:
		status.addModel(st, a)
		if st.Exhausted() {
			status.Stopping = st.StopReason()
		} else if !st.Spec.NoBand {
			status.Forecast, status.Stopping = newForecast(st, f), f.Advice()
		}
	}
	return status, nil
}

// addModel adds the best prediction and the expected improvement, or for several objectives the model's front, and the
// outliers.
func (status *Status) addModel(st sessions.State, a *diagnostics.Summary) {
	for _, r := range a.Outliers {
		status.Outliers = append(status.Outliers,
			Outlier{Point: r.Label, Objective: st.Problem.Objectives[r.Objective].Name, Z: report.Number(r.Z)})
	}
	status.Inference = a.Inference
	if len(a.Objectives) > 1 {
		status.ModelFront, status.FrontCaveat = expectedFront(st, a), a.Caveat
		status.ModelClusters = modelClusters(status.ModelFront)
		return
	}
	o := a.Objectives[0]
	limited := st.Problem.LimitedOutputs() != nil
	if status.Best != nil && limited && o.ModelBest != nil {
		p := report.Number(o.BestFeasible)
		status.Best.Feasible = &p
	}
	if o.ModelBest != nil {
		sd := report.Number(o.ModelBest.Normals[0].SD)
		status.BestMean = &Best{X: encoding.EncodeMap(st.Problem.Domain, o.ModelBest.X), input: o.ModelBest.X, SD: &sd,
			Value: map[string]report.Number{o.Name: report.Number(o.ModelBest.Normals[0].Mean)}}
		if o.Transform().IsLog() {
			status.BestMean.SD, status.BestMean.Log10 = nil, &sd
		}
		if limited {
			p := report.Number(o.ModelFeasible)
			status.BestMean.Feasible = &p
		}
	}
	if o.Improvement != nil {
		value := report.Number(o.Improvement.Value)
		status.Improvement = &value
		if o.Transform().IsLog() {
			status.Improvement, status.ImprovementLog10 = nil, &value
		}
	}
}

func byObjective(st sessions.State, y []float64) map[string]report.Number {
	m := map[string]report.Number{}
	for k, o := range st.Problem.Outputs() {
		m[o.Name] = report.Number(y[k])
	}
	return m
}
