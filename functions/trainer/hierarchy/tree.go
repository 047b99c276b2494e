package hierarchy

import "math"

// Tree is a hierarchy of series, its nodes numbered breadth first: the root is 0.
type Tree struct {
	Parent   []int   // of every node; -1 of the root
	Children [][]int // of every node; none of a leaf
	Level    []int   // the depth of every node; 0 of the root
	leaves   [][]int
}

// completeTree is the tree in which every node above the last level has so many children.
func completeTree(arity, depth int) Tree {
	t := Tree{Parent: []int{-1}, Level: []int{0}}
	for p := 0; p < len(t.Level); p++ {
		var children []int
		for c := 0; c < arity && t.Level[p] < depth; c++ {
			children = append(children, len(t.Parent))
			t.Parent, t.Level = append(t.Parent, p), append(t.Level, t.Level[p]+1)
		}
		t.Children = append(t.Children, children)
	}
	t.leaves = make([][]int, len(t.Parent))
	for i, children := range t.Children {
		if len(children) > 0 {
			continue
		}
		for p := i; p >= 0; p = t.Parent[p] {
			t.leaves[p] = append(t.leaves[p], i)
		}
	}
	return t
}

// Size is the number of nodes.
func (t Tree) Size() int { return len(t.Parent) }

// Levels is the number of levels, with that of the root.
func (t Tree) Levels() int { return t.Level[len(t.Level)-1] + 1 }

// Leaves are the leaves under a node, L(p); of a leaf itself. They are not to be changed.
func (t Tree) Leaves(p int) []int { return t.leaves[p] }

// Mean writes to the rows of the nodes above the leaves the means of the rows of their leaves. rows has one row of so
// many numbers for each node.
func (t Tree) Mean(rows []float64, width int) {
	for p, children := range t.Children {
		if len(children) > 0 {
			t.MeanOfLeaves(rows[p*width:(p+1)*width], rows, p)
		}
	}
}

// MeanOfLeaves writes to mean the mean of the rows of the leaves under p, of as many numbers each as mean has.
func (t Tree) MeanOfLeaves(mean, rows []float64, p int) {
	clear(mean)
	width := len(mean)
	for _, i := range t.leaves[p] {
		for j, v := range rows[i*width : (i+1)*width] {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(len(t.leaves[p]))
	}
}

// SamplingProbabilities are the probabilities π_i ∝ α^-depth of drawing each node (thesis, equation 6.6).
func (t Tree) SamplingProbabilities(alpha float64) []float64 {
	pi, total := make([]float64, t.Size()), 0.0
	for i, level := range t.Level {
		pi[i] = math.Pow(alpha, -float64(level))
		total += pi[i]
	}
	for i := range pi {
		pi[i] /= total
	}
	return pi
}

// LevelShares are the expected shares of the levels among the nodes that are drawn by Chances: of a complete n-ary tree
// ∝ (n/α)^level.
func (t Tree) LevelShares(alpha float64) []float64 {
	shares := make([]float64, t.Levels())
	for i, p := range t.SamplingProbabilities(alpha) {
		shares[t.Level[i]] += p
	}
	return shares
}
