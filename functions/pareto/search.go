package pareto

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// The operators of the search: simulated binary crossover and polynomial mutation, with the chances of Deb et al. 2002,
// §V, and the indices that pymoo has (Deb et al. take 20 for both).
const (
	crossoverChance = 0.9
	crossoverIndex  = 15
	mutationIndex   = 20
)

// Individual is a point of the unit cube with its objectives, minimized.
type Individual struct{ X, Y []float64 }

// Search approximates the Pareto front of cheap functions over the unit cube of dim inputs by NSGA-II (Deb et al.
// 2002): size individuals, which start from some seeds and random points, over so many generations. It returns those
// that are not dominated. stop, asked once a generation, ends it early.
func Search(dim, size, generations int, seeds [][]float64, f func(X [][]float64) [][]float64, stop func() bool,
	rng *rand.Rand) []Individual {
	size += size % 2
	people := make([]Individual, 0, 2*size)
	for i := range size {
		x := make([]float64, dim)
		if i < len(seeds) {
			copy(x, seeds[i])
		} else {
			for j := range x {
				x[j] = rng.Float64()
			}
		}
		people = append(people, Individual{X: x})
	}
	evaluate(people, f)
	rank, crowding := nondominatedSort(people)
	for range generations {
		if stop() {
			break
		}
		parent := func() []float64 {
			a, b := rng.IntN(size), rng.IntN(size)
			if rank[b] < rank[a] || rank[b] == rank[a] && crowding[b] > crowding[a] {
				a = b
			}
			return people[a].X
		}
		for len(people) < 2*size {
			a, b := simulatedBinaryCrossover(parent(), parent(), rng)
			for _, x := range [2][]float64{a, b} {
				mutate(x, rng)
				people = append(people, Individual{X: x})
			}
		}
		evaluate(people[size:], f)
		people, rank, crowding = selectSurvivors(people, size)
	}
	points := make([][]float64, len(people))
	for i, p := range people {
		points[i] = p.Y
	}
	var front []Individual
	for _, i := range Front(points) {
		front = append(front, people[i])
	}
	return front
}

// Each returns the outcomes of points by the outcomes of one.
func Each(f func(x []float64) []float64) func(X [][]float64) [][]float64 {
	return func(X [][]float64) [][]float64 {
		Y := make([][]float64, len(X))
		for i, x := range X {
			Y[i] = f(x)
		}
		return Y
	}
}

// evaluate fills in the outcomes of people.
func evaluate(people []Individual, f func(X [][]float64) [][]float64) {
	X := make([][]float64, len(people))
	for i, p := range people {
		X[i] = p.X
	}
	for i, y := range f(X) {
		people[i].Y = y
	}
}

// selectSurvivors are the best size individuals, by rank and then by how alone they are.
func selectSurvivors(people []Individual, size int) ([]Individual, []int, []float64) {
	rank, crowding := nondominatedSort(people)
	order := make([]int, len(people))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if rank[a] != rank[b] {
			return rank[a] - rank[b]
		}
		return -cmp.Compare(crowding[a], crowding[b])
	})
	values := make([]Individual, size, 2*size)
	ranks := make([]int, size)
	alone := make([]float64, size)
	for i, position := range order[:size] {
		values[i] = people[position]
		ranks[i] = rank[position]
		alone[i] = crowding[position]
	}
	return values, ranks, alone
}

// nondominatedSort gives each individual its rank, 0 for those that nothing dominates, and its crowding distance within
// the rank.
func nondominatedSort(people []Individual) (rank []int, crowding []float64) {
	n := len(people)
	rank, crowding = make([]int, n), make([]float64, n)
	beaten := make([]int, n) // by how many of those that have no rank yet
	beats := make([][]int, n)
	var level []int
	for i := range people {
		for j := range i {
			switch {
			case Dominates(people[i].Y, people[j].Y):
				beats[i], beaten[j] = append(beats[i], j), beaten[j]+1
			case Dominates(people[j].Y, people[i].Y):
				beats[j], beaten[i] = append(beats[j], i), beaten[i]+1
			}
		}
	}
	for i := range people {
		if beaten[i] == 0 {
			level = append(level, i)
		}
	}
	for r := 0; len(level) > 0; r++ {
		crowdingDistances(people, level, crowding)
		var next []int
		for _, i := range level {
			rank[i] = r
			for _, j := range beats[i] {
				beaten[j]--
				if beaten[j] == 0 {
					next = append(next, j)
				}
			}
		}
		level = next
	}
	return rank, crowding
}

// crowdingDistances fills in the crowding distances of one rank.
func crowdingDistances(people []Individual, level []int, crowding []float64) {
	order := slices.Clone(level)
	for k := range people[level[0]].Y {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(people[a].Y[k], people[b].Y[k]) })
		first, last := order[0], order[len(order)-1]
		crowding[first], crowding[last] = math.Inf(1), math.Inf(1)
		span := people[last].Y[k] - people[first].Y[k]
		if !(span > 0) {
			continue
		}
		for i := 1; i < len(order)-1; i++ {
			crowding[order[i]] += (people[order[i+1]].Y[k] - people[order[i-1]].Y[k]) / span
		}
	}
}

// simulatedBinaryCrossover makes two children by simulated binary crossover.
func simulatedBinaryCrossover(a, b []float64, rng *rand.Rand) ([]float64, []float64) {
	a, b = slices.Clone(a), slices.Clone(b)
	if rng.Float64() > crossoverChance {
		return a, b
	}
	for j := range a {
		if rng.Float64() < 0.5 {
			continue
		}
		u := rng.Float64()
		beta := math.Pow(2*u, 1.0/(crossoverIndex+1))
		if u > 0.5 {
			beta = math.Pow(1/(2*(1-u)), 1.0/(crossoverIndex+1))
		}
		mean, half := (a[j]+b[j])/2, (b[j]-a[j])/2*beta
		a[j], b[j] = clamp(mean-half), clamp(mean+half)
	}
	return a, b
}

// mutate changes on average one coordinate by polynomial mutation.
func mutate(x []float64, rng *rand.Rand) {
	for j := range x {
		if rng.Float64()*float64(len(x)) > 1 {
			continue
		}
		u := rng.Float64()
		if u < 0.5 {
			x[j] = clamp(x[j] + math.Pow(2*u, 1.0/(mutationIndex+1)) - 1)
		} else {
			x[j] = clamp(x[j] + 1 - math.Pow(2*(1-u), 1.0/(mutationIndex+1)))
		}
	}
}

func clamp(v float64) float64 { return min(max(v, 0), 1) }
