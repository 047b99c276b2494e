package registry

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/golden"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/ntk"
	"bandscope/optimizers/testbed"
)

var longest = flag.Duration("longest", 90*time.Second, "the longest step that the table of growth measures")

// growing are the methods, the dimensions and the numbers of data of the table of growth.
var (
	growing = []optimizers.Spec{gaussian.EI, gaussian.TS, neural.Greedy, neural.PosteriorGreedy, ntk.UCB,
		neural.NeuralUCB}
	growingDims = []int{2, 10, 20, 100}
	growingData = []int{50, 100, 200, 500, 1000, 2000}
)

// BenchmarkGrowth is the processor time of a step in seconds against the number of data and of variables, on Ackley's
// function. Each is a step of a running session, which has made the one before. Where a step takes longer than -longest,
// or the one before, with which the program starts, five times that, it and those with more data are left out. With
// -update the table is written into the guide to the performance, one for each build, if all of it was asked for, and
// figures of the ordinary build into the README:
//
//	go test ./optimizers/registry -run '^$' -bench Growth -benchtime 1x -timeout 0 -update
func BenchmarkGrowth(b *testing.B) {
	section, build := "growth", "the ordinary build"
	if strings.Contains(runtime.Version(), "X:simd") {
		section, build = "growth fast", "the fast build"
	}
	var table strings.Builder
	fmt.Fprintf(&table, "Seconds of processor time per step of a running session with %s, and the growth over the larger\nhalf of the data, on Ackley's function. – is a step over %.0f s, or a first step of a program over five times that.\n\n", build, longest.Seconds())
	fmt.Fprintf(&table, "| method | variables |%s growth |\n| --- |%s\n", columns(growingData),
		strings.Repeat(" --- |", 2+len(growingData)))
	all, readme := true, ""
	for _, spec := range growing {
		for _, d := range growingDims {
			var seconds []float64
			ended := false
			for _, n := range growingData {
				if ended {
					break
				}
				ran := false
				b.Run(fmt.Sprintf("%s/d=%d/n=%d", spec.Name, d, n), func(b *testing.B) {
					ran = true
					s, err := running(b, spec, d, n)
					if ended = err != nil; ended {
						b.Skip(err)
					}
					seconds = append(seconds, s)
				})
				all = all && ran
			}
			fmt.Fprintf(&table, "| `%s` | %d |", spec.Name, d)
			for i := range growingData {
				cell := "–"
				if i < len(seconds) {
					cell = fmt.Sprintf("%.2g", seconds[i])
				}
				fmt.Fprintf(&table, " %s |", cell)
			}
			fmt.Fprintf(&table, " %s |\n", power(growingData, seconds))
			if spec.Name == gaussian.EI.Name && d == 10 && len(seconds) > 4 {
				readme = fmt.Sprintf("A step of `gp-ei` in 10 variables takes %.2g s of processor time with 100 results, and %.2g s with 1,000:\n[performance](tui/guide/performance.md) has more, and describes a faster build for processors with vector instructions.\n", seconds[1], seconds[4])
			}
		}
	}
	fmt.Println("\n" + table.String())
	if all && golden.Updating() {
		rewrite(b, "../../tui/guide/performance.md", section, "\n"+table.String()+"\n")
		if section == "growth" && readme != "" {
			rewrite(b, "../../README.md", section, readme)
		}
	}
}

// running is the processor time in seconds of a step of a running session; an error if it takes too long.
func running(b *testing.B, spec optimizers.Spec, d, n int) (float64, error) {
	p, data := testbed.Observe(b, fmt.Sprintf("ackley:%d", d), n)
	in := testbed.InputFor(b, spec, p.Dim(), data)
	step := func(in optimizers.Input, longest time.Duration) error {
		ctx, cancel := context.WithTimeout(b.Context(), longest)
		defer cancel()
		belief, err := spec.Fit(ctx, in)
		if err == nil {
			_, err = belief.Suggest(ctx)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			b.Fatal(err)
		}
		return err
	}
	before := in
	before.Data = optimizers.Data{X: data.X.Slice(0, n-1, 0, d).(*mat.Dense),
		Y: data.Y.Slice(0, n-1, 0, 1).(*mat.Dense)}
	before.Step = n - 1
	if err := step(before, 5**longest); err != nil {
		return 0, err
	}
	start, loops := processorTime(), 0.0
	for b.Loop() {
		loops++
		renew(in.Data)
		if err := step(in, *longest); err != nil {
			return 0, err
		}
	}
	seconds := (processorTime() - start) / loops
	b.ReportMetric(1e3*seconds, "cpu-ms/op")
	return seconds, nil
}

// power is the exponent of the law that the upper half of the sizes follow, two of them at least: the slope of least
// squares between logarithms.
func power(sizes []int, seconds []float64) string {
	if len(seconds) < 2 {
		return "–"
	}
	from := min(len(seconds)/2, len(seconds)-2)
	var x, y []float64
	for i := from; i < len(seconds); i++ {
		x, y = append(x, math.Log(float64(sizes[i]))), append(y, math.Log(seconds[i]))
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return fmt.Sprintf("n^%.1f", slope)
}

func columns(sizes []int) string {
	var s strings.Builder
	for _, n := range sizes {
		fmt.Fprintf(&s, " n = %d |", n)
	}
	return s.String()
}

// rewrite puts a text between the lines <!-- name --> and <!-- end of name --> of a file.
func rewrite(b *testing.B, path, name, text string) {
	b.Helper()
	whole, err := os.ReadFile(path)
	require.NoError(b, err)
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begun := strings.Cut(string(whole), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		b.Fatalf("%s has no part between the lines %q and %q", path, begin, end)
	}
	require.NoError(b, os.WriteFile(path, []byte(before+begin+text+end+after), 0o644))
}

// The exponent is that of the upper half of what was measured.
func TestPower(t *testing.T) {
	cube := func(n int) float64 { return 1e-9 * math.Pow(float64(n), 3) }
	for _, c := range []struct {
		seconds []float64
		want    string
	}{
		{[]float64{1, 2, 3, cube(500), cube(1000), cube(2000)}, "n^3.0"},
		{[]float64{1, cube(100), cube(200)}, "n^3.0"},
		{[]float64{cube(50), cube(100)}, "n^3.0"},
		{[]float64{1}, "–"},
		{nil, "–"},
	} {
		assert.Equal(t, c.want, power(growingData, c.seconds), "of %v", c.seconds)
	}
}
