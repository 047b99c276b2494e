//go:build mutate

// Command mutate makes small changes of meaning in the program's own code, one at a time in a copy, and finds those that no test notices.
//
//	go run -tags mutate ./.ci/mutate -n 60 -seed 1
//
// A mutant is killed when a test of its package fails, or of one that depends on it, the nearest first. What was found is kept in a file, so that the same
// command goes on where it was interrupted. The same seed takes the same mutants of the same code.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
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
	"sync"
	"syscall"
	"time"
)

// options are what is asked for.
type options struct {
	seed     uint64
	count    int
	jobs     int
	packages string
	without  string
	out      string
	id       string
	again    bool
	list     bool
	limit    time.Duration
	least    float64
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are taken")
	flag.IntVar(&o.count, "n", 60, "how many mutants that compile are tried")
	flag.IntVar(&o.jobs, "jobs", 1, "how many at once, each in a copy of its own")
	flag.StringVar(&o.packages, "packages", "", "only packages whose path matches this expression")
	flag.StringVar(&o.without, "without", "", "no packages whose path matches this expression")
	flag.StringVar(&o.out, "out", "", "file that keeps what was found, to go on from; empty is one in the temporary folder, by the seed")
	flag.StringVar(&o.id, "id", "", "only the mutant whose id begins with this, whether it was tried or not")
	flag.BoolVar(&o.again, "again", false, "try those that survived before once more")
	flag.BoolVar(&o.list, "list", false, "list the mutants, and try none")
	flag.DurationVar(&o.limit, "limit", 10*time.Minute, "no further package is tested for a mutant after this time; 0 tests all that depend on it")
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
	if o.count < 1 || o.jobs < 1 || flag.NArg() > 0 {
		return errors.New("-n and -jobs are at least 1, and there are no further arguments")
	}
	only, err := regexp.Compile(o.packages)
	if err != nil {
		return err
	}
	without, err := regexp.Compile(o.without)
	if err != nil {
		return err
	}
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	all, err := load(ctx, root)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(u *unit) bool {
		return !only.MatchString(u.ImportPath) || o.without != "" && without.MatchString(u.ImportPath)
	})
	s := &sample{options: o, root: root, units: map[string]*unit{}, order: order(chosen, o.seed)}
	for _, u := range all {
		s.units[u.ImportPath] = u
	}
	if o.id != "" {
		s.order = slices.DeleteFunc(s.order, func(m mutant) bool { return !strings.HasPrefix(m.ID, o.id) })
	}
	fmt.Printf("%d mutants in %d packages, seed %d\n", len(s.order), len(chosen), o.seed)
	if o.list {
		for _, m := range s.order[:min(o.count, len(s.order))] {
			s.tell(verdict{mutant: m, Status: survived}, true)
		}
		return nil
	}
	return s.run(ctx)
}

// order puts all mutants into the order in which a seed takes them: again and again a package, the larger ones more often, of its kinds of change one, and
// of that kind one.
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
		at, i := rng.Float64()*sum, 0
		for ; i < len(count)-1; i++ {
			if at -= math.Sqrt(float64(count[i])); at < 0 {
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

// sample is the mutants that are tried, with what became of them.
type sample struct {
	options
	root  string
	units map[string]*unit
	order []mutant
	usual usual

	mu    sync.Mutex
	next  int // in order
	tried int // that compile, or may
	known map[string]verdict
	done  []verdict
	file  *os.File
}

// take is the next mutant to try; false when there are enough.
func (s *sample) take() (mutant, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.next < len(s.order) && s.tried < s.count {
		m := s.order[s.next]
		s.next++
		v, known := s.known[m.ID]
		known = known && s.id == "" && !(s.again && (v.Status == survived || v.Status == suspected))
		if known {
			s.done = append(s.done, v)
		}
		if !known || v.Status != uncompiled {
			s.tried++
		}
		if !known {
			return m, true
		}
	}
	return mutant{}, false
}

// put keeps what became of a mutant.
func (s *sample) put(v verdict) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.Status == interrupted {
		return nil
	}
	if v.Status == uncompiled {
		s.tried-- // another takes its place
	}
	s.done = append(s.done, v)
	s.tell(v, false)
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// tell writes a mutant, with what it changes if nobody noticed.
func (s *sample) tell(v verdict, plain bool) {
	compiled := 0
	for _, d := range s.done {
		if d.Status != uncompiled {
			compiled++
		}
	}
	if plain {
		fmt.Printf("%s  %s:%d:%d  %s\n", v.ID, v.File, v.Line, v.Column, v.Kind)
	} else {
		fmt.Printf("%3d/%d  %s  %s:%d:%d  %s: %s %s (%.0f s)\n", compiled, s.count, v.ID, v.File, v.Line, v.Column, v.Kind, v.Status, v.By, v.Seconds)
	}
	if plain || v.Status == survived || v.Status == suspected {
		if i := slices.IndexFunc(s.order, func(m mutant) bool { return m.ID == v.ID }); i >= 0 {
			fmt.Print(s.order[i].diff())
		}
		if v.Suspect != "" {
			fmt.Printf("    perhaps equal: %s\n", v.Suspect)
		}
	}
}

// read reads what was found before, and opens the file to go on.
func (s *sample) read() error {
	if s.out == "" {
		s.out = filepath.Join(os.TempDir(), fmt.Sprintf("bandscope-mutants-%d.jsonl", s.seed))
	}
	f, err := os.OpenFile(s.out, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	s.file, s.known = f, map[string]verdict{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var v verdict
		if json.Unmarshal(in.Bytes(), &v) == nil {
			s.known[v.ID] = v
		}
	}
	return in.Err()
}

// run tries the mutants and tells what came of them.
func (s *sample) run(ctx context.Context) error {
	if err := s.read(); err != nil {
		return err
	}
	defer s.file.Close()
	copies := make([]*copied, s.jobs)
	for i := range copies {
		var err error
		copies[i], err = copyModule(ctx, s.root)
		if copies[i] != nil {
			defer copies[i].remove()
		}
		if err != nil {
			return err
		}
	}
	fmt.Printf("what is found goes to %s\n", s.out)
	s.usual.took = map[string]time.Duration{}
	err := s.work(ctx, copies)
	s.report()
	if ctx.Err() != nil {
		return errors.New("interrupted; the same command goes on")
	}
	return err
}

// work shares the mutants out among the copies.
func (s *sample) work(ctx context.Context, copies []*copied) error {
	errs := make(chan error, len(copies))
	for _, c := range copies {
		go func() {
			for ctx.Err() == nil {
				m, ok := s.take()
				if !ok {
					break
				}
				if err := s.put(c.try(ctx, s.units[m.Package], m, &s.usual, s.limit)); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	var all error
	for range copies {
		all = errors.Join(all, <-errs)
	}
	if share, n := s.share(); all == nil && n > 0 && share < s.least {
		return fmt.Errorf("%.0f %% were killed, at least %g %% were asked for", share, s.least)
	}
	return all
}

// share is the percentage of the mutants that compile which were killed.
func (s *sample) share() (float64, int) {
	n, dead := 0, 0
	for _, v := range s.done {
		if v.Status != uncompiled {
			n++
		}
		if v.Status == killed {
			dead++
		}
	}
	return 100 * float64(dead) / float64(max(n, 1)), n
}

// report lists the survivors and counts.
func (s *sample) report() {
	slices.SortFunc(s.done, func(a, b verdict) int { return strings.Compare(a.File+a.ID, b.File+b.ID) })
	count := map[string]int{}
	for _, v := range s.done {
		count[v.Status]++
	}
	fmt.Println("\nsurvivors:")
	for _, v := range s.done {
		if v.Status == survived || v.Status == suspected {
			s.tell(v, true)
		}
	}
	share, n := s.share()
	late := 0
	for _, v := range s.done {
		if strings.HasSuffix(v.By, "(too slow)") {
			late++
		}
	}
	fmt.Printf("\n%d that compile: %d killed (%.0f %%; %d by time), %d survived, %d survived and are perhaps equal; %d did not compile\n", n, count[killed], share, late, count[survived], count[suspected], count[uncompiled])
}
