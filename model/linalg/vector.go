package linalg

import "gonum.org/v1/gonum/blas"

// Dtrsv solves op(A) x = b for a triangular matrix, into x. The results are gonum's to the last bit: rows are taken
// four at a time, which changes no sum, so that an addition need not wait for the one before it.
func (l library) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	ordinary := d == blas.NonUnit && incX == 1 && n > 1 && lda >= n && len(a) >= lda*(n-1)+n && len(x) >= n
	switch {
	case ordinary && ul == blas.Lower && tA == blas.NoTrans:
		solveLower(n, a, lda, x)
	case ordinary && ul == blas.Lower && tA == blas.Trans:
		solveLowerTransposed(n, a, lda, x)
	case ordinary && ul == blas.Upper && tA == blas.Trans:
		solveUpperTransposed(n, a, lda, x)
	default:
		l.Implementation.Dtrsv(ul, tA, d, n, a, lda, x, incX)
	}
}

// solveLower solves L y = x.
//
//go:norace
func solveLower(n int, a []float64, lda int, x []float64) {
	i := 0
	for ; i+4 <= n; i += 4 {
		known := x[:i]
		r0, r1 := a[i*lda:i*lda+i+1], a[(i+1)*lda:(i+1)*lda+i+2]
		r2, r3 := a[(i+2)*lda:(i+2)*lda+i+3], a[(i+3)*lda:(i+3)*lda+i+4]
		var s0, s1, s2, s3 float64
		p0 := r0[:len(known)]
		p1 := r1[:len(known)]
		p2 := r2[:len(known)]
		p3 := r3[:len(known)]
		for j, v := range known {
			s0 += v * p0[j]
			s1 += v * p1[j]
			s2 += v * p2[j]
			s3 += v * p3[j]
		}
		x0 := (x[i] - s0) / r0[i]
		s1 += x0 * r1[i]
		x1 := (x[i+1] - s1) / r1[i+1]
		s2 += x0 * r2[i]
		s2 += x1 * r2[i+1]
		x2 := (x[i+2] - s2) / r2[i+2]
		s3 += x0 * r3[i]
		s3 += x1 * r3[i+1]
		s3 += x2 * r3[i+2]
		x[i] = x0
		x[i+1] = x1
		x[i+2] = x2
		x[i+3] = (x[i+3] - s3) / r3[i+3]
	}
	for ; i < n; i++ {
		sum := 0.0
		for j, v := range a[i*lda : i*lda+i] {
			sum += x[j] * v
		}
		x[i] = (x[i] - sum) / a[i*lda+i]
	}
}

// solveLowerTransposed solves Lᵀ y = x.
//
//go:norace
func solveLowerTransposed(n int, a []float64, lda int, x []float64) {
	i := n - 1
	for ; i >= 3; i -= 4 {
		r0, r1 := a[i*lda:i*lda+i+1], a[(i-1)*lda:(i-1)*lda+i]
		r2, r3 := a[(i-2)*lda:(i-2)*lda+i-1], a[(i-3)*lda:(i-3)*lda+i-2]
		x0 := x[i] / r0[i]
		x1 := (x[i-1] - r0[i-1]*x0) / r1[i-1]
		x2 := x[i-2] - r0[i-2]*x0
		x2 = (x2 - r1[i-2]*x1) / r2[i-2]
		x3 := x[i-3] - r0[i-3]*x0
		x3 -= r1[i-3] * x1
		x3 = (x3 - r2[i-3]*x2) / r3[i-3]
		rest := x[:i-3]
		p0 := r0[:len(rest)]
		p1 := r1[:len(rest)]
		p2 := r2[:len(rest)]
		p3 := r3[:len(rest)]
		for j, v := range rest {
			v -= p0[j] * x0
			v -= p1[j] * x1
			v -= p2[j] * x2
			rest[j] = v - p3[j]*x3
		}
		x[i] = x0
		x[i-1] = x1
		x[i-2] = x2
		x[i-3] = x3
	}
	for ; i >= 0; i-- {
		x[i] /= a[i*lda+i]
		for j, v := range a[i*lda : i*lda+i] {
			x[j] -= v * x[i]
		}
	}
}

// solveUpperTransposed solves Uᵀ y = x.
//
//go:norace
func solveUpperTransposed(n int, a []float64, lda int, x []float64) {
	i := 0
	for ; i+4 <= n; i += 4 {
		r0, r1 := a[i*lda+i:i*lda+n], a[(i+1)*lda+i:(i+1)*lda+n]
		r2, r3 := a[(i+2)*lda+i:(i+2)*lda+n], a[(i+3)*lda+i:(i+3)*lda+n]
		x0 := x[i] / r0[0]
		x1 := (x[i+1] - r0[1]*x0) / r1[1]
		x2 := x[i+2] - r0[2]*x0
		x2 = (x2 - r1[2]*x1) / r2[2]
		x3 := x[i+3] - r0[3]*x0
		x3 -= r1[3] * x1
		x3 = (x3 - r2[3]*x2) / r3[3]
		rest := x[i+4 : n]
		p0 := r0[4:]
		p1 := r1[4:]
		p2 := r2[4:]
		p3 := r3[4:]
		p0 = p0[:len(rest)]
		p1 = p1[:len(rest)]
		p2 = p2[:len(rest)]
		p3 = p3[:len(rest)]
		for j, v := range rest {
			v -= p0[j] * x0
			v -= p1[j] * x1
			v -= p2[j] * x2
			rest[j] = v - p3[j]*x3
		}
		x[i] = x0
		x[i+1] = x1
		x[i+2] = x2
		x[i+3] = x3
	}
	for ; i < n; i++ {
		x[i] /= a[i*lda+i]
		rest := x[i+1 : n]
		for j, v := range a[i*lda+i+1 : i*lda+n] {
			rest[j] -= v * x[i]
		}
	}
}
