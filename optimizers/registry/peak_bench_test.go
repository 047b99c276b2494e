package registry

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
)

// bound is the most memory in MB that a step with 1,000 data in 100 variables may take.
const bound = 300

// BenchmarkPeak is the most memory that a program holds which makes one step with 1,000 data in 100 variables, as Linux
// counts it. Each step is made by a process of its own.
func BenchmarkPeak(b *testing.B) {
	const child = "BANDSCOPE_PEAK"
	for _, spec := range []optimizers.Spec{gaussian.EI, neural.Greedy, neural.PosteriorGreedy} {
		b.Run(spec.Name, func(b *testing.B) {
			if os.Getenv(child) != "" {
				step(b, spec, "ackley:100", 1000)
				fmt.Printf("peak %d MB\n", peak(b))
				return
			}
			for b.Loop() {
				c := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$",
					"-test.bench=^BenchmarkPeak$/^"+spec.Name+"$", "-test.benchtime=1x", "-test.timeout=0")
				c.Env = append(os.Environ(), child+"=1")
				out, err := c.CombinedOutput()
				match := regexp.MustCompile(`peak (\d+) MB`).FindSubmatch(out)
				if err != nil || match == nil {
					b.Fatalf("%v\n%s", err, out)
				}
				mb, err := strconv.Atoi(string(match[1]))
				require.NoError(b, err)
				b.ReportMetric(float64(mb), "peak-MB")
				if mb > bound {
					b.Errorf("%d MB, more than %d", mb, bound)
				}
			}
		})
	}
}

// peak is the greatest resident memory of this process so far, in MB.
func peak(b *testing.B) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("only Linux tells how much memory a process has had")
	}
	kb := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(b, kb, "no VmHWM")
	n, err := strconv.Atoi(string(kb[1]))
	require.NoError(b, err)
	return n * 1024 / 1_000_000
}
