// Package linalg is the arithmetic under every surrogate: products, triangular solves and factors of matrices,
// distances, and exp, tanh, erf and cos of many values. It registers itself with gonum, so what works with gonum's mat,
// blas64 and lapack64 runs on it once it is imported, which package model does for all.
//
// There are two builds. The ordinary one is plain Go. The fast one, GOEXPERIMENT=simd with Go 1.27 or later, computes
// with the vectors of the processor through Go's package simd. What they find differs in the last bits, because a
// vector's multiplication and addition round once. In each build every value is the same however many cores there are,
// and however a matrix is cut.
//
// The innermost loops are left out of the race detector's sight (go:norace), as those of gonum's assembly are: under it
// they would take most of the time of every test, and they touch nothing but the slices that they are given.
//
// Matrices are row-major: element (i, j) of a matrix lies at i·stride + j.
package linalg
