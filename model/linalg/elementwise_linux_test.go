package linalg

import (
	"math"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Functions of values that lie at the end of the memory read none behind it.
func TestElementwiseAtTheEndOfTheMemory(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer syscall.Munmap(memory)
	require.NoError(t, syscall.Mprotect(memory[page:], syscall.PROT_NONE))
	values := unsafe.Slice((*float64)(unsafe.Pointer(&memory[0])), page/8)
	for n := 1; n < 18; n++ {
		x := values[len(values)-n:]
		for name, f := range map[string]struct {
			of   func(dst, x []float64)
			want func(float64) float64
		}{"exp": {Exp, math.Exp}, "tanh": {Tanh, math.Tanh}, "erf": {Erf, math.Erf}, "cos": {Cos, math.Cos}} {
			for i := range x {
				x[i] = float64(i) - 3.5
			}
			f.of(x, x)
			for i, v := range x {
				if want := f.want(float64(i) - 3.5); math.Abs(v-want) > 1e-14*(1+math.Abs(want)) {
					t.Errorf("%s of value %d of %d is %v, want %v", name, i, n, v, want)
				}
			}
		}
	}
}
