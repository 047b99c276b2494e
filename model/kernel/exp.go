package kernel

import "math"

// expParts is into how many parts a power of two is cut, expTable what stands at 2^(j/expParts).
const expParts = 128

var expTable = func() (t [expParts]float64) {
	for j := range t {
		t[j] = math.Exp2(float64(j) / expParts)
	}
	return t
}()

// exponentials replaces values, none of which is above 0, by their exponentials, within two units of the last digit; 0 stands for what is below the least normal number. x = k ln 2/128 + r, 2^(k/128) comes from a table, and e^r from five terms of its series.
func exponentials(v []float64) {
	const (
		high  = 0x1.62e42fef8p-8      // ln 2/128, so many digits that k·high is exact,
		low   = 0x1.1cf79abc9e3b4p-43 // and the rest
		whole = 3 << 51               // what is added and taken away to round to an integer
		least = -708
	)
	for i, x := range v {
		if x < least {
			v[i] = 0
			continue
		}
		k := x*(expParts/math.Ln2) + whole
		at := math.Float64bits(k)
		k -= whole
		r := (x - k*high) - k*low
		power := math.Float64frombits(math.Float64bits(expTable[at%expParts]) + at>>7<<52)
		q := r * r
		v[i] = power + power*(r+q*((0.5+r*(1.0/6))+q*(1.0/24+r*(1.0/120))))
	}
}
