package classroom

import (
	"fmt"
	"math"
	"slices"
)

// NamedAnswer is an answer with the pseudonym of the person.
type NamedAnswer struct {
	Pseudonym string
	Value
}

// Quantiles of the answers for one variable, by linear interpolation (type 7 of Hyndman & Fan 1996, "Sample quantiles
// in statistical packages").
type Quantiles struct{ Min, Lower, Median, Upper, Max float64 }

// Result is the distribution of the answers to a question that is revealed.
type Result struct {
	Question
	Answers      []NamedAnswer // in the order in which the people joined
	Quantiles    []Quantiles   // of a point: of each variable; nil without an answer
	Counts       []int         // of a choice or pair: of each option
	CorrectShare float64       // of a choice with a right option, the share of all answers; NaN without
	// of a choice or pair: the Shannon entropy of the shares, in bits: 0 if all agree. Of a pair it is without the
	// answers that cannot tell. NaN without an answer
	Entropy float64
}

// Result is the result of a question. The error says that it is not revealed.
func (st State) Result(question int) (Result, error) {
	q, err := st.Question(question)
	if err != nil {
		return Result{}, err
	}
	if !q.Revealed {
		return Result{}, fmt.Errorf("question %d is not revealed", q.Number)
	}
	r := Result{Question: q, CorrectShare: math.NaN(), Entropy: math.NaN()}
	for _, a := range q.latest() {
		r.Answers = append(r.Answers, NamedAnswer{st.People[a.person].Pseudonym, a.value})
	}
	if q.Kind == Point {
		r.Quantiles = r.quantiles()
		return r, nil
	}
	r.Counts = make([]int, len(q.Choices()))
	for _, a := range r.Answers {
		r.Counts[a.Choice-1]++
	}
	counted := r.Counts
	if q.Kind == Pair {
		counted = counted[:CannotTell-1]
	}
	r.Entropy = entropy(counted)
	if q.Correct > 0 && len(r.Answers) > 0 {
		r.CorrectShare = float64(r.Counts[q.Correct-1]) / float64(len(r.Answers))
	}
	return r, nil
}

// Share is the share of an option, by its number from 1, among all answers; 0 without any.
func (r Result) Share(choice int) float64 {
	if len(r.Answers) == 0 {
		return 0
	}
	return float64(r.Counts[choice-1]) / float64(len(r.Answers))
}

func (r Result) quantiles() (list []Quantiles) {
	if len(r.Answers) == 0 {
		return nil
	}
	for j := range r.Variables {
		values := make([]float64, len(r.Answers))
		for i, a := range r.Answers {
			values[i] = a.Point[j]
		}
		slices.Sort(values)
		q := func(p float64) float64 {
			rank := p * float64(len(values)-1)
			low := int(rank)
			if low+1 == len(values) {
				return values[low]
			}
			return values[low] + (rank-float64(low))*(values[low+1]-values[low])
		}
		list = append(list, Quantiles{q(0), q(0.25), q(0.5), q(0.75), q(1)})
	}
	return list
}

// entropy is the Shannon entropy of the shares of some counts in bits; NaN if all are 0.
func entropy(counts []int) float64 {
	sum, h := 0.0, 0.0
	for _, n := range counts {
		sum += float64(n)
	}
	if sum == 0 {
		return math.NaN()
	}
	for _, n := range counts {
		if p := float64(n) / sum; p > 0 {
			h -= p * math.Log2(p)
		}
	}
	return h
}
