package gaussian

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"bandscope/model/gp"
	"bandscope/optimizers"
)

// kept remembers the hyper-parameters of fits by what they were fitted to. Since it only ever holds what would be computed again,
// nothing but the time depends on what it holds. It is safe for concurrent use.
type kept struct {
	mu    sync.Mutex
	fits  map[[sha256.Size]byte]*gp.GP
	order [][sha256.Size]byte // the oldest first
}

// fitsKept are the fits that later ones start from, of all sessions of this process.
var fitsKept kept

// mostKept is how many fits are kept: of several sessions that are stepped in turn, with several objectives.
const mostKept = 256

func (k *kept) get(key [sha256.Size]byte) (*gp.GP, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	g, ok := k.fits[key]
	return g, ok
}

// put keeps a fit, without its data.
func (k *kept) put(key [sha256.Size]byte, g *gp.GP) {
	bare, err := gp.New(g.Kernel(), g.Noise(), nil, nil)
	if err != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.fits[key]; ok {
		return
	}
	if k.fits == nil {
		k.fits = map[[sha256.Size]byte]*gp.GP{}
	}
	if len(k.order) == mostKept {
		delete(k.fits, k.order[0])
		k.order = k.order[1:]
	}
	k.fits[key] = bare
	k.order = append(k.order, key)
}

// fitKey tells apart all that a fresh fit to the first n data depends on.
func fitKey(in optimizers.Input, objective int, opt gp.Options, n int) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintln(h, in.Seed, objective, in.Dim, n, opt.Form.Name(), opt.FitNoise, opt.Noise, opt.Prior, opt.Starts, opt.Own)
	number := func(v float64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	for i := range n {
		for _, v := range in.Data.X.RawRowView(i) {
			number(v)
		}
		number(in.Data.Y.At(i, objective))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
