//go:build study

package gaussian

// What the study of the priors, which runs methods of other packages, uses of this one.
var (
	IntegratedPriors = &integratedPriors
	Coverage         = coverage
	CoverageSearches = coverageSearches
	CoverageData     = coverageSearch.data
	Problem          = problem
)
