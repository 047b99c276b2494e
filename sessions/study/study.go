// Package study declares studies: tables of runs over problems, methods and seeds. A declaration is a TOML file, which
// this package reads, checks and divides into cells, one run each; their results are a table. Package worker runs the
// cells, package store keeps them, and package stats computes the statistics.
package study

import "time"

// Declaration is a study as its file declares it.
type Declaration struct {
	Name   string `toml:"name" json:"name"`
	Title  string `toml:"title,omitempty" json:"title,omitempty"`   // its question, in a line
	Source string `toml:"source,omitempty" json:"source,omitempty"` // where it comes from: paper, chapter, figure
	// remarks: differences to the settings of the source, missing parts
	Note string `toml:"note,omitempty" json:"note,omitempty"`
	// each a name as functions.Find takes it or the file of your own problem, and key=value pairs: noise, cost,
	// cost_budget, budget
	Problems []string `toml:"problems" json:"problems"`
	// each a name as registry.Find takes it or the file that declares a program, and key=value pairs of its parameters
	Methods []string `toml:"methods" json:"methods"`
	Seeds   int      `toml:"seeds" json:"seeds"`                               // their number, from First on
	First   uint64   `toml:"first_seed,omitempty" json:"first_seed,omitempty"` // the first seed; 0 is 1
	// iterations of a run: a number, or an expression of d such as 20*d; empty is the papers' for the dimension
	Budget  string  `toml:"budget,omitempty" json:"budget,omitempty"`
	Measure Measure `toml:"measure,omitempty" json:"measure,omitempty"`
	Keep    Keep    `toml:"keep,omitempty" json:"keep,omitempty"`

	Published []PublishedNumber `toml:"published,omitempty" json:"published,omitempty"` // the numbers of a paper

	// your own problems among Problems and the programs among Methods, as their files declare them
	Own []OwnFile `toml:"-" json:"own,omitempty"`
	// runs of other programs beside those of Cells, with their results; their methods are not this program's
	Imported []Cell `toml:"-" json:"imported,omitempty"`
}

// Measure is the quantity that compares the runs of a study.
type Measure string

// The measures. By default the simple regret is taken where the optimum is known, else the best value; of several
// objectives the hypervolume.
const (
	DefaultMeasure   Measure = ""
	SimpleRegret     Measure = "simple regret"
	BestValue        Measure = "best value"
	CumulativeRegret Measure = "cumulative regret"
	Hypervolume      Measure = "hypervolume"
	BayesRegret      Measure = "Bayes regret"
	WeightedRegret   Measure = "cost-weighted regret"
)

// Keep says which data of a finished run are kept.
type Keep string

// The kinds of kept data: always the traces, whole sessions on request.
const (
	KeepTraces   Keep = "traces"
	KeepSessions Keep = "sessions"
)

// PublishedNumber is a number that a paper prints for a problem and a method, or for all.
type PublishedNumber struct {
	Problem     string  `toml:"problem" json:"problem"`
	Method      string  `toml:"method" json:"method"`
	Measure     Measure `toml:"measure,omitempty" json:"measure,omitempty"`         // of what; empty is the study's
	Evaluations int     `toml:"evaluations,omitempty" json:"evaluations,omitempty"` // after so many; 0 is at the end
	// of that measure, as the program has it
	Value     float64  `toml:"value" json:"value"`
	Interval  *float64 `toml:"interval,omitempty" json:"interval,omitempty"`   // the half-width ±, if it is printed
	Statistic string   `toml:"statistic,omitempty" json:"statistic,omitempty"` // mean or median
	// table or figure; "read off" for one that is read off a plot
	Source string `toml:"source" json:"source"`
	Note   string `toml:"note,omitempty" json:"note,omitempty"` // why ours differs
}

// Cell is one run of a study: a pure function of these fields, for one version of the program. Its texts are in the
// form that Cells gives them, so that equal runs are equal values.
type Cell struct {
	Problem string `json:"problem"` // a name and key=value pairs
	Method  string `json:"method"`
	Seed    uint64 `json:"seed"`
	Budget  int    `json:"budget"` // iterations
}

// Status is the progress of a cell.
type Status string

// The statuses of a cell.
const (
	Waiting      Status = "waiting" // for a worker, or between two slices
	Running      Status = "running"
	Done         Status = "done"
	Failed       Status = "failed"  // all attempts
	OtherVersion Status = "foreign" // started by another version of the program, which alone can continue it
)

// Row is a cell with its results so far.
type Row struct {
	Cell
	Dim      int       `json:"dim"` // variables of its problem
	Status   Status    `json:"status"`
	Steps    int       `json:"steps"`    // iterations so far
	Attempts int       `json:"attempts"` // that failed
	Error    string    `json:"error,omitempty"`
	Program  string    `json:"program"` // the version that started it
	Worker   string    `json:"worker,omitempty"`
	Began    time.Time `json:"began,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	Seconds  float64   `json:"seconds"` // that the run took, over all slices
	Trace    Trace     `json:"trace"`
}

// Trace is a run so far: one number per iteration in each slice, noise-free where the problem's truth is known. A slice
// is nil if the run has no such quantity; numbers are NaN until an evaluation has succeeded.
type Trace struct {
	Evaluations      []int     // so far
	Seconds          []float64 // to suggest, of this iteration
	Spent            []float64 // cost so far
	Repeats          []float64 // evaluations so far at points that were evaluated before
	Best             []float64 // best observation so far, in the problem's direction
	SimpleRegret     []float64 // simple regret
	CumulativeRegret []float64 // cumulative regret
	WeightedRegret   []float64 // cumulative regret weighted by cost
	Hypervolume      []float64
	BayesRegret      []float64 // BayesRegret regret
}

// Table is a study with all its results so far, in the order of Cells.
type Table struct {
	Declaration *Declaration `json:"study"`
	Rows        []Row        `json:"cells"`
}
