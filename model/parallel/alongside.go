package parallel

import "sync/atomic"

// alongsideCount is how many goroutines are within Alongside.
var alongsideCount atomic.Int64

// Alongside calls f in a goroutine that others are at work beside, each in a call of this: so many runs go on at once,
// and come and go. Each of them has its own core, and what f calls here takes none but idle ones; the last that is left
// has all. More at once than there are cores is the caller's wish.
func Alongside(f func()) {
	if alongsideCount.Add(1) > 1 { // one of them is the one caller that the cores are counted from
		helperCount.Add(1)
	}
	defer func() {
		if alongsideCount.Add(-1) > 0 {
			helperCount.Add(-1)
		}
	}()
	f()
}
