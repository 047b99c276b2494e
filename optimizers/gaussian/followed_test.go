package gaussian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/optimizers/testbed"
)

// After many data the fit follows that of a few data ago, and explains the data as well as the best that is searched for afresh: within a tenth of a nat. Where the newest data
// contradict it, and where data are few, it is searched for.
func TestTheFitFollows(t *testing.T) {
	_, data := testbed.Observe(t, "ackley:5", 64)
	in := testbed.InputFor(t, EI, 5, data, "restarts=2")
	opt := gpOptions(in)
	g, err := followed(t.Context(), in, 0, opt, 60)
	if err != nil || g == nil {
		t.Fatalf("nothing contradicts the fit to 60 of 64 data, and it is not followed: %v", err)
	}
	afresh, err := fresh(t.Context(), in, 0, opt, 64)
	if err != nil {
		t.Fatal(err)
	}
	if g.LogMarginalLikelihood() < afresh.LogMarginalLikelihood()-0.1 {
		t.Errorf("the evidence is %g where it follows, %g where it is searched for", g.LogMarginalLikelihood(), afresh.LogMarginalLikelihood())
	}
	contradicted := in
	contradicted.Data.Y = mat.DenseCopyOf(data.Y)
	contradicted.Data.Y.Set(63, 0, data.Y.At(63, 0)+60)
	if g, err := followed(t.Context(), contradicted, 0, opt, 60); g != nil || err != nil {
		t.Errorf("a datum far from all that is expected leaves the fit what it was (%v)", err)
	}
	few := in
	few.Data = prefix(data, settled)
	if g, err := followed(t.Context(), few, 0, opt, 45); g != nil || err != nil {
		t.Errorf("%d data are many (%v)", settled, err)
	}
}

// Surprises are what each datum is off from what those before it predict, in standard deviations: of the last one as the process without it says.
func TestSurprises(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 9)
	in := testbed.InputFor(t, EI, 2, data, "restarts=1", "noise=fixed", "noise_sd=0.1")
	p, err := Fit(t.Context(), in, 0)
	if err != nil {
		t.Fatal(err)
	}
	y := p.Scale.Apply(data.Column(0))
	z := p.GP.Surprises()
	others, err := gp.New(p.GP.Kernel(), p.GP.Noise(), data.X.Slice(0, 8, 0, 2).(*mat.Dense), y[:8])
	if err != nil {
		t.Fatal(err)
	}
	mean, sd, err := others.Predict(t.Context(), data.X.Slice(8, 9, 0, 2).(*mat.Dense))
	if err != nil {
		t.Fatal(err)
	}
	if want := (y[8] - mean[0]) / math.Hypot(sd[0], p.GP.Noise()); math.Abs(z[8]-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("the last datum is %g standard deviations off, want %g", z[8], want)
	}
}
