package neural

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// A training that diverges is tried again three times, each at a tenth of the rate before, and each is counted.
func TestDivergedTrainingIsTriedAtATenthOfTheRate(t *testing.T) {
	for _, fails := range []int{0, 1, 3, 4} {
		var rates []float64
		b := &trainedBelief{in: testbed.InputFor(t, Greedy, 1, optimizers.Data{}, "trainer=adam", "rate=0.1")}
		b.builder.build = func(_ context.Context, _ nn.Arch, _ *mat.Dense, _ []float64, opt nn.Options,
			_ *rand.Rand) (*nn.Surrogate, error) {
			if rates = append(rates, opt.Rate); len(rates) <= fails {
				return nil, fmt.Errorf("training: %w", nn.ErrDiverged)
			}
			return &nn.Surrogate{}, nil
		}
		_, err := b.train(context.Background(), "test", nil)
		assert.Equal(t, fails > 3, err != nil, "after %d failures the error is %v", fails, err)
		for i, r := range rates {
			if want := 0.1 * math.Pow(10, -float64(i)); math.Abs(r-want) > 1e-12 {
				t.Errorf("attempt %d is at the rate %g, want %g", i+1, r, want)
			}
		}
		if want := min(fails, 3); int(b.diverged.Load()) != want || len(rates) != want+1 {
			t.Errorf("%d failures: %d attempts, %d counted", fails, len(rates), b.diverged.Load())
		}
	}
}

// The band of neural-greedy is the mean and the sample deviation of its own samples of draw 0.
func TestGreedyBandIsItsEnsemble(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	b := testbed.Fit(t, Greedy, testbed.InputFor(t, Greedy, 1, data, "width=100", "ensemble=6"))
	x := testbed.Probes(4, 1)
	bands, err := b.Predict(context.Background(), x)
	require.NoError(t, err)
	samples, _ := b.Samples(context.Background(), x, 6, 0)
	for j := range 4 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
		if bands[0].Mean[j] != mean || bands[0].SD[j] != sd {
			t.Errorf("the band at %d is %g ± %g, the samples have %g ± %g", j, bands[0].Mean[j], bands[0].SD[j], mean,
				sd)
		}
	}
	if other, _ := b.Samples(context.Background(), x, 6, 1); mat.Equal(other[0], samples[0]) {
		t.Error("another draw gives the same networks")
	}
}

// The band at infinite width is what many wide networks spread over, and choosing it changes nothing of what is
// suggested.
func TestGreedyBandAtInfiniteWidth(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	x := testbed.Probes(4, 1)
	const m = 60
	plain := testbed.Fit(t, Greedy, testbed.InputFor(t, Greedy, 1, data, "width=3000", "activation=erf"))
	infinite := testbed.Fit(t, Greedy, testbed.InputFor(t, Greedy, 1, data, "width=3000", "activation=erf",
		"band=trained"))
	bands, err := infinite.Predict(context.Background(), x)
	require.NoError(t, err)
	samples, err := plain.Samples(context.Background(), x, m, 0)
	require.NoError(t, err)
	for j := range 4 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
		want := bands[0]
		if math.Abs(mean-want.Mean[j]) > 5*want.SD[j]/math.Sqrt(m)+0.05 ||
			math.Abs(sd-want.SD[j]) > 5*want.SD[j]/math.Sqrt(2*m)+0.05 {
			t.Errorf("at %d networks have %g ± %g, the law %g ± %g", j, mean, sd, want.Mean[j], want.SD[j])
		}
	}
	for _, band := range bandChoices() { // and every band has what the legend says
		b := testbed.Fit(t, Greedy, testbed.InputFor(t, Greedy, 1, data, "width=64", "ensemble=2", "activation=relu",
			"band="+band))
		s, err := b.Samples(context.Background(), x, 3, 0)
		if err != nil || !functions.Finite(s[0].RawMatrix().Data) {
			t.Errorf("%s: samples %v, %v", band, s, err)
		}
		if got, err := b.Predict(context.Background(), x); err != nil || !functions.Finite(got[0].SD) ||
			b.Legend().Band == "" {
			t.Errorf("%s: band %v, %v", band, got, err)
		}
	}
	a, _ := plain.Suggest(context.Background())
	b, _ := infinite.Suggest(context.Background())
	assert.True(t, mat.Equal(a.X, b.X), "what is shown changes what is suggested")
}

// The suggestion of neural-greedy is where its network is least, and its networks meet noiseless data.
func TestGreedyMinimizesItsNetwork(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	b := testbed.Fit(t, Greedy, testbed.InputFor(t, Greedy, 1, data, "width=500"))
	s, err := b.Suggest(context.Background())
	require.NoError(t, err)
	acq, _ := b.Acquisition(context.Background(), testbed.Probes(3000, 1))
	for _, v := range acq {
		if v < s.Acquisition[0]-1e-9 {
			t.Fatalf("the network falls to %g, the suggestion has %g", v, s.Acquisition[0])
		}
	}
	used, _ := b.Used(context.Background(), data.X)
	for i, v := range used[0] {
		if math.Abs(v-data.Y.At(i, 0)) > 1e-2 {
			t.Errorf("at datum %d the network is %g, the value %g", i, v, data.Y.At(i, 0))
		}
	}
}

// What a trained network's parameters do to its ensemble: a warm start leaves no spread, the γ of the evidence is the
// one that is used, and a batch has one point for each network.
func TestNetworkParameters(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "forrester", 6)
	x := testbed.Probes(9, 1)
	spread := func(set ...string) float64 {
		in := testbed.InputFor(t, Greedy, 1, data, append(set, "width=300", "ensemble=6", "initial=3")...)
		band, err := testbed.Fit(t, Greedy, in).Predict(ctx, x)
		require.NoError(t, err)
		return mat.Max(mat.NewVecDense(9, band[0].SD))
	}
	if fresh, warm := spread(), spread("start=warm"); fresh < 0.1 || warm > 1e-9 {
		t.Errorf("networks trained afresh spread by %g, warm by %g", fresh, warm)
	}
	if remaining, bare := spread("sigma2=0.3"), spread("sigma2=0.3", "perturb=off"); bare > 0.9*remaining {
		t.Errorf("with perturbed targets the spread is %g, without %g", remaining, bare)
	}
	in := testbed.InputFor(t, Greedy, 1, data, "width=300", "auto_gamma=on", "gamma=9")
	b := testbed.Fit(t, Greedy, in).(*trainedBelief)
	theory, err := b.Theory(ctx)
	require.NoError(t, err)
	if theory.Evidence.Current != theory.Evidence.Best || b.arch.SigmaW != theory.Evidence.Best || b.arch.SigmaB == 9 {
		t.Errorf("γ is %g, the evidence's %g", b.arch.SigmaW, theory.Evidence.Best)
	}
	for _, spec := range []optimizers.Spec{STOBNTS, STOBNTSLinear, DeepEnsemble} {
		in := testbed.InputFor(t, spec, 1, data, "width=64", "batch=4")
		in.MinDistance = 0.07
		s, err := testbed.Fit(t, spec, in).Suggest(ctx)
		require.NoError(t, err)
		points := mat.Col(nil, 0, s.X)
		slices.Sort(points)
		for i := range points[1:] {
			if points[i+1]-points[i] < in.MinDistance {
				t.Errorf("%s: the points of a batch that are to be %g apart are %v", spec.Name, in.MinDistance, points)
			}
		}
		if n, _ := s.X.Dims(); n != 4 || len(s.Mean) != 4 {
			t.Errorf("%s: a batch of 4 has %d points", spec.Name, n)
		}
		if s.X.At(0, 0) == s.X.At(1, 0) && s.X.At(1, 0) == s.X.At(2, 0) {
			t.Errorf("%s: the batch is one point: %v", spec.Name, mat.Formatted(s.X))
		}
	}
}

// γ = 0 is the evidence's, just as automatic γ is, but at most 15/d, and 2 until there are two data to find it by; it
// is what networks of more than two inputs begin with.
func TestScaleByEvidence(t *testing.T) {
	problem, data := testbed.Observe(t, "hartmann:3", 7)
	for _, spec := range []optimizers.Spec{Greedy, PosteriorGreedy} {
		fit := func(data optimizers.Data, set ...string) *trainedBelief {
			return testbed.Fit(t, spec, testbed.InputFor(t, spec, problem.Dim(), data, append(set, "width=64")...)).(*trainedBelief)
		}
		found, asked, fixed := fit(data), fit(data, "auto_gamma=on", "gamma=9"), fit(data, "gamma=2")
		if found.in.Params.Number("gamma") != 0 || found.arch.SigmaW != asked.arch.SigmaW ||
			found.arch.SigmaB != asked.arch.SigmaB {
			t.Errorf("%s: γ is found as %g, with automatic γ as %g", spec.Name, found.arch.SigmaW, asked.arch.SigmaW)
		}
		if fixed.arch.SigmaW != 2 || found.arch.SigmaW == 2 {
			t.Errorf("%s: γ = 2 is %g, that of the evidence %g", spec.Name, fixed.arch.SigmaW, found.arch.SigmaW)
		}
		theory, err := found.Theory(t.Context())
		if err != nil || theory.Evidence.Best != found.arch.SigmaW {
			t.Errorf("%s: the evidence is greatest at %v, γ is %g (%v)", spec.Name, theory.Evidence, found.arch.SigmaW,
				err)
		}
		if facts := fmt.Sprint(found.Legend().Facts, asked.Legend().Facts); strings.Count(facts, "γ by evidence") != 2 {
			t.Errorf("%s: the legends say %s", spec.Name, facts)
		}
		if b := fit(optimizers.Data{}); b.arch.SigmaW != 2 {
			t.Errorf("%s: without data γ is %g", spec.Name, b.arch.SigmaW)
		}
		rough, few := testbed.Observe(t, "ackley:30", 5)
		in := testbed.InputFor(t, spec, rough.Dim(), few, "width=64")
		bounded := testbed.Fit(t, spec, in).(*trainedBelief)
		if facts := fmt.Sprint(bounded.Legend().Facts); bounded.arch.SigmaW != 0.5 || bounded.arch.SigmaB != 0.5 ||
			!strings.Contains(facts, "γ, at its upper bound") {
			t.Errorf("%s: γ of 30 inputs is %g, the legend says %s", spec.Name, bounded.arch.SigmaW, facts)
		}
		if defaults := param.Defaults(param.ForInputs(spec.Params, 2)).Number("gamma"); defaults != 2 {
			t.Errorf("%s: of two inputs γ is %g", spec.Name, defaults)
		}
	}
}

// Each band that is a law is that law: of neural-greedy's networks, Prop. 2 is also what posterior-greedy's ensemble
// tends to.
func TestBandsOfLaws(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "forrester", 5)
	x := testbed.Probes(7, 1)
	band := func(spec optimizers.Spec, set ...string) optimizers.Band {
		bands, err := testbed.Fit(t, spec, testbed.InputFor(t, spec, 1, data, set...)).Predict(ctx, x)
		require.NoError(t, err)
		return bands[0]
	}
	for _, c := range []struct {
		spec optimizers.Spec
		law  string
		set  []string
	}{{Greedy, "trained", nil}, {PosteriorGreedy, "posterior", nil}, {Greedy, "trained", []string{"linear=on"}},
		{PosteriorGreedy, "posterior", []string{"linear=on"}}} {
		const m = 100
		law := band(c.spec, "band="+c.law, "width=100", "activation=erf")
		nets := band(c.spec, append(c.set, "ensemble=100", "width=2000", "activation=erf")...)
		for i := range law.Mean {
			allowed := 5*law.SD[i]/math.Sqrt(m) + 0.05
			if math.Abs(nets.Mean[i]-law.Mean[i]) > allowed || math.Abs(nets.SD[i]-law.SD[i]) > allowed {
				t.Errorf("%s %v: %g ± %g, the law %g ± %g", c.spec.Name, c.set, nets.Mean[i], nets.SD[i], law.Mean[i],
					law.SD[i])
			}
		}
	}
}

// A network that is trained on from step to step is trained whenever there are a quarter more data, and with all results
// of an import together.
func TestWarmChain(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 123)
	in := testbed.InputFor(t, Greedy, 1, data, "width=8", "start=warm", "trainer=gradient-descent", "epochs=1",
		"ensemble=2")
	first := min(search.InitialCount(in), 122)
	var quarters []int
	for n := first; n < 123; n = (5*n + 3) / 4 {
		quarters = append(quarters, n-first)
	}
	for name, c := range map[string]struct {
		imports [][2]int
		want    []int
	}{
		"no import": {nil, quarters},
		"imports":   {[][2]int{{0, 40}, {60, 90}}, []int{40 - first, 50 - first, 90 - first, 113 - first}},
		"an import": {[][2]int{{0, 123}}, nil},
	} {
		in.Data.Imports = c.imports
		var values []int
		in.Progress = func(subject string, done, total int) {
			if strings.HasPrefix(subject, "training from the previous network") {
				values = append(values, done)
			}
		}
		testbed.Fit(t, Greedy, in)
		if !slices.Equal(values, c.want) {
			t.Errorf("%s: it is trained on %d more data, want %d", name, values, c.want)
		}
	}
}
