//go:build mutate

// Command mutate makes small changes of meaning in the program's own code, one at a time, and finds those that no test
// notices.
//
//	go run -tags mutate ./.ci/mutate -n 60 -seed 1
//
// A mutant is killed when a test of its package fails, or of one that depends on it, the nearest first. The same seed
// takes the same mutants of the same code; -from goes on where an earlier run ended. The code itself stays: go reads
// the changed file by its -overlay.
//
// It is not replaced by Gremlins 0.6, the one tool of its kind that the module proxy has and that runs with Go 1.26. Of
// functions/pareto and optimizers/normdist that makes 494 mutants, this 1,166: Gremlins leaves constants, drops no
// term, statement or error, and exchanges no min and max, two thirds of ours and half of the survivors in a sample of
// 80 (12 of 24). It runs the tests of the package, for which 83 mutants of normal are "not covered", or all there are,
// not those that depend on it; it draws no sample, so that the module would take days; and of a difference it makes the
// same mutant twice.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the options of the command line.
type options struct {
	seed          uint64
	count, from   int
	only, without *regexp.Regexp
	id            string
	list          bool
	limit         time.Duration
	least         float64
}

func main() {
	o := options{only: regexp.MustCompile(""), without: regexp.MustCompile("^$")}
	pattern := func(re **regexp.Regexp) func(string) error {
		return func(text string) (err error) {
			*re, err = regexp.Compile(text)
			return err
		}
	}
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are taken")
	flag.IntVar(&o.count, "n", 60, "how many mutants that compile are tried")
	flag.IntVar(&o.from, "from", 0, "pass over so many mutants, which were tried before")
	flag.Func("packages", "only packages whose path matches this expression", pattern(&o.only))
	flag.Func("without", "no packages whose path matches this expression", pattern(&o.without))
	flag.StringVar(&o.id, "id", "", "only the mutant whose id begins with this")
	flag.BoolVar(&o.list, "list", false, "list the mutants, and try none")
	flag.DurationVar(&o.limit, "limit", 10*time.Minute,
		"no further package is tested for a mutant after this time; 0 tests all that depend on it")
	flag.Float64Var(&o.least, "least", 0, "fail if less than this percentage is killed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context) error {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	all, err := load(ctx, root)
	if err != nil {
		return err
	}
	units := map[string]*unit{}
	for _, u := range all {
		if o.only.MatchString(u.ImportPath) && !o.without.MatchString(u.ImportPath) {
			units[u.ImportPath] = u
		}
	}
	chosen := slices.DeleteFunc(all, func(u *unit) bool { return units[u.ImportPath] == nil })
	mutants := slices.DeleteFunc(order(chosen, o.seed), func(m mutant) bool { return !strings.HasPrefix(m.ID, o.id) })
	fmt.Printf("%d mutants in %d packages, seed %d\n", len(mutants), len(chosen), o.seed)
	mutants = mutants[min(max(o.from, 0), len(mutants)):]
	if o.list {
		for _, m := range mutants[:min(o.count, len(mutants))] {
			fmt.Printf("%v\n%s", m, m.diff())
		}
		return nil
	}
	b, err := newBench(ctx, root)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	return o.sample(ctx, b, units, mutants)
}

// sample tries mutants in their order until enough compiled, and tells what became of each, and of all.
func (o options) sample(ctx context.Context, b *bench, units map[string]*unit, mutants []mutant) error {
	count, tried := map[string]int{}, o.from
	compiled := func() int { return count[killed] + count[survived] + count[suspected] }
	defer func() {
		fmt.Printf("\n%d that compile: %d killed, %d survived, %d survived and are perhaps equal; %d did not compile; continue with -from %d\n",
			compiled(), count[killed], count[survived], count[suspected], count[uncompiled], tried)
	}()
	for _, m := range mutants {
		if compiled() == o.count {
			break
		}
		start := time.Now()
		status, amount, err := b.try(ctx, units[m.Package], m, o.limit)
		if err != nil {
			return err
		}
		tried++
		count[status]++
		fmt.Printf("%3d/%d  %v: %s %s (%.0f s)\n", compiled(), o.count, m, status, amount, time.Since(start).Seconds())
		if status == survived || status == suspected {
			fmt.Print(m.diff())
		}
		if status == suspected {
			fmt.Printf("    perhaps equal: %s\n", m.Suspect)
		}
	}
	if share := 100 * float64(count[killed]) / float64(max(compiled(), 1)); share < o.least {
		return fmt.Errorf("%.0f %% were killed, at least %g %% were asked for", share, o.least)
	}
	return nil
}

func (m mutant) String() string {
	return fmt.Sprintf("%s  %s:%d:%d  %s", m.ID, m.File, m.Line, m.Column, m.Kind)
}

// order puts all mutants into the order in which a seed takes them: again and again a package, the larger ones more
// often, of its kinds of change one, and of that kind one.
func order(units []*unit, seed uint64) []mutant {
	rng := rand.New(rand.NewPCG(seed, 0))
	left := make([]map[string][]mutant, len(units))
	count := make([]int, len(units))
	for i, u := range units {
		left[i] = map[string][]mutant{}
		for _, m := range u.mutants {
			left[i][m.Kind] = append(left[i][m.Kind], m)
			count[i]++
		}
	}
	var out []mutant
	for {
		sum := 0.0
		for _, n := range count {
			sum += math.Sqrt(float64(n))
		}
		if sum == 0 {
			return out
		}
		position, i := rng.Float64()*sum, 0
		for ; i < len(count)-1; i++ {
			position -= math.Sqrt(float64(count[i]))
			if position < 0 {
				break
			}
		}
		if count[i] == 0 { // what rounding leaves
			continue
		}
		var kinds []string
		for kind, list := range left[i] {
			if len(list) > 0 {
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		kind := kinds[rng.IntN(len(kinds))]
		list := left[i][kind]
		j := rng.IntN(len(list))
		out = append(out, list[j])
		left[i][kind] = slices.Delete(list, j, j+1)
		count[i]--
	}
}
