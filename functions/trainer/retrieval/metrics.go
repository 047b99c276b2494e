package retrieval

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Metrics is the recall and the cost of a search among unseen classes: 400 queries, each in 800 rows, of which 8 have
// its class.
type Metrics struct {
	Recall1    float64   // % of the queries whose best row has their class
	Precision4 float64   // % of the four best rows with the class of the query
	Flops      float64   // multiplications per row: Σ p̄_j p̄'_j, of the queries and of the rows
	Active     []float64 // p̄_j of rows and queries together
	Mean       float64   // their mean
	Sub        float64   // and suboptimality ratio R_sub; NaN where all are 0
	Dead       int       // dimensions that are 0 everywhere
	IndexBytes float64   // of the inverted index, per row
}

// Evaluate searches the unseen classes with the network as it is.
func (t *Training) Evaluate() Metrics { return EvaluateEmbeddings(t.Rows(), t.Queries()) }

// EvaluateEmbeddings searches rows of the unseen classes, from a training or modified, for queries.
func EvaluateEmbeddings(rows, queries *mat.Dense) Metrics {
	index := NewIndex(rows)
	n, _ := rows.Dims()
	q, _ := queries.Dims()
	var j Metrics
	touched := 0
	for i := range q {
		hits, count := index.Search(queries.RawRowView(i), 4, 0)
		touched += count
		for place, hit := range hits {
			if hit.Row/RowsPerClass != i/QueriesPerClass {
				continue
			}
			j.Precision4++
			if place == 0 {
				j.Recall1++
			}
		}
	}
	j.Recall1 *= 100 / float64(q)
	j.Precision4 *= 25 / float64(q)
	j.Flops = float64(touched) / (float64(n) * float64(q))
	var both mat.Dense
	both.Stack(rows, queries)
	j.Active = ActivationRates(&both)
	j.Mean = Mean(j.Active)
	j.Sub = Suboptimality(j.Active)
	j.Dead = CountDead(j.Active)
	j.IndexBytes = float64(index.Bytes()) / float64(n)
	return j
}

// Rows are the searched unit embeddings, 800×d; row i is of unseen class i/RowsPerClass. A row without active
// dimensions is all 0.
func (t *Training) Rows() *mat.Dense { return t.embed(t.data.rows) }

// Queries are the unit embeddings of the queries, 400×d; query i is of unseen class i/QueriesPerClass.
func (t *Training) Queries() *mat.Dense { return t.embed(t.data.queries) }

// embed computes embeddings with the running statistics of the batch norm.
func (t *Training) embed(xs [][]float64) *mat.Dense {
	e := mat.NewDense(len(xs), t.s.Dim, nil)
	h := make([]float64, t.s.Hidden)
	u := make([]float64, t.s.Dim)
	support := make([]int32, t.s.Dim)
	for i, x := range xs {
		t.p.project(x, h, u)
		for j := range u {
			u[j] = (u[j] - t.mean[j]) / math.Sqrt(t.variance[j]+epsilon)
		}
		t.p.activate(t.s.Activation, u, e.RawRowView(i), support)
	}
	return e
}
