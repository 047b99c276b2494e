package fitcache

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// besideSession is the path of an empty session that only its owner may read, and a store beside it.
func besideSession(t *testing.T) (string, *Store) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	return path, storeOf(path)
}

// storeOf is the store of a session as another process opens it.
func storeOf(path string) *Store {
	s := &Store{}
	s.SetSession(path, false)
	return s
}

func readStore(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(StorePath(path))
	require.NoError(t, err)
	return text
}

// Values are read back to the last bit, and a fit is written once. The file may be read by those who may read the
// session.
func TestStoredFitsAreReadBack(t *testing.T) {
	path, s := besideSession(t)
	want := []float64{1.0 / 3, math.Pi * 1e-6, math.Nextafter(1, 2), 5e-324, 0}
	s.Save("a", want)
	s.Save("a", want)
	s.Save("b", []float64{2})
	other := storeOf(path)
	got, ok := other.Load("a")
	if !ok || !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, ok := other.Load("c"); ok {
		t.Error("there is a fit that nobody saved")
	}
	if n := bytes.Count(readStore(t, path), []byte("\n")); n != 2 {
		t.Errorf("the file has %d lines, want 2", n)
	}
	info, err := os.Stat(StorePath(path))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
}

// A store without a file keeps fits in memory; they go to the first file that it gets, and to the next. A store that
// may not write reads only.
func TestStoreFollowsItsSession(t *testing.T) {
	var s Store
	s.Save("a", []float64{1})
	s.Flush()
	path, _ := besideSession(t)
	s.SetSession(path, false)
	s.Flush()
	if v, ok := storeOf(path).Load("a"); !ok || v[0] != 1 {
		t.Errorf("the fit is %v in the first file", v)
	}
	next, _ := besideSession(t)
	s.SetSession(next, false)
	s.Save("b", []float64{2})
	reader := &Store{}
	reader.SetSession(next, true)
	for key, want := range map[string]float64{"a": 1, "b": 2} {
		if v, ok := reader.Load(key); !ok || v[0] != want {
			t.Errorf("the fit %s is %v in the next file", key, v)
		}
	}
	reader.Save("c", []float64{3})
	reader.Flush()
	if _, ok := storeOf(next).Load("c"); ok {
		t.Error("a store that may not write has written")
	}
}

// Whatever is damaged in the file, each fit is read back as it was or not at all; and a fit that is saved afterwards is
// read back, unless it is damaged itself.
func TestDamagedStores(t *testing.T) {
	path, s := besideSession(t)
	want := map[string][]float64{}
	for i := range 6 {
		key := fmt.Sprintf("%032d", i)
		want[key] = []float64{float64(i), 0.1 * float64(i)}
		s.Save(key, want[key])
	}
	whole := readStore(t, path)
	damaged := [][]byte{nil, []byte("\n\n"), []byte("{}"), []byte(`{"id":"`), bytes.Repeat([]byte{0}, 100),
		append(slices.Clone(whole), "not JSON\n"...)}
	for offset := range whole {
		flipped := slices.Clone(whole)
		flipped[offset] ^= 1
		damaged = append(damaged, flipped, whole[:offset], whole[offset:])
	}
	for i, text := range damaged {
		require.NoError(t, os.WriteFile(StorePath(path), text, 0o600))
		other := storeOf(path)
		lost := 0
		for key, values := range want {
			got, ok := other.Load(key)
			if !ok {
				lost++
			} else if !slices.Equal(got, values) {
				t.Fatalf("damage %d: the fit %s is %v, want %v", i, key, got, values)
			}
		}
		if most := 2; len(text) == len(whole) && lost > most { // a flipped line feed joins two lines
			t.Fatalf("damage %d: %d fits are lost", i, lost)
		}
		other.Save("new", []float64{7})
		if v, ok := storeOf(path).Load("new"); !ok || v[0] != 7 {
			t.Fatalf("damage %d: a fit that was saved after it is lost", i)
		}
	}
}

// Programs that save at the same time lose nothing.
func TestWritersOfAStore(t *testing.T) {
	path, _ := besideSession(t)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			s := storeOf(path)
			for i := range 50 {
				s.Save(fmt.Sprint(w, " ", i), []float64{float64(i)})
			}
		})
	}
	all.Wait()
	s := storeOf(path)
	for w := range 4 {
		for i := range 50 {
			if v, ok := s.Load(fmt.Sprint(w, " ", i)); !ok || v[0] != float64(i) {
				t.Fatalf("fit %d of writer %d is %v", i, w, v)
			}
		}
	}
}

// A file that is too large, or that is no file, is not read. A large one is begun anew.
func TestStoresThatCannotBeRead(t *testing.T) {
	path, s := besideSession(t)
	require.NoError(t, os.WriteFile(StorePath(path), []byte(strings.Repeat("x\n", maxStored/2+1)), 0o600))
	s.Save("a", []float64{1})
	if v, ok := storeOf(path).Load("a"); !ok || v[0] != 1 || len(readStore(t, path)) > 1000 {
		t.Errorf("the file has %d bytes and the fit is %v", len(readStore(t, path)), v)
	}
	link, s := besideSession(t)
	if err := os.Symlink(path, StorePath(link)); err != nil {
		t.Skip(err)
	}
	s.Save("a", []float64{1})
	if text, err := os.ReadFile(path); err != nil || len(text) > 0 {
		t.Errorf("through a link, %q is written elsewhere, %v", text, err)
	}
	folder, s := besideSession(t)
	require.NoError(t, os.Mkdir(StorePath(folder), 0o700))
	s.Save("a", []float64{1})
	if v, ok := s.Load("a"); !ok || v[0] != 1 {
		t.Error("a fit that cannot be written is lost")
	}
}
