// Package published has the built-in studies, those of the papers, each with its source, the numbers that
// the paper prints, and our results. It also writes and reads the results of any study (CSV with one row per iteration
// or per run; JSON of everything), and finds studies by name: the built-in ones and the databases in the data folder. A
// declaration is a file of studies/, results are a compressed JSON file of results/.
package published

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"bandscope/sessions/study"
)

//go:embed studies/*.toml
var declarations embed.FS

//go:embed results
var results embed.FS

// Names lists the built-in studies in alphabetical order.
func Names() []string {
	files, err := declarations.ReadDir("studies")
	if err != nil {
		panic(err) // it is embedded
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".toml")
	}
	return names
}

// Find returns the built-in study of a name; false if there is none.
func Find(name string) (*study.Declaration, bool) {
	text, err := declarations.ReadFile(path.Join("studies", name+".toml"))
	if err != nil {
		return nil, false
	}
	d := &study.Declaration{}
	if err := toml.Unmarshal(text, d); err != nil {
		// not study.Parse, whose checks start a run of every method; tests run them
		panic(fmt.Sprintf("the built-in study %s: %v", name, err))
	}
	return d, true
}

// HasResults reports whether there are results of the built-in study of a name.
func HasResults(name string) bool {
	f, err := results.Open(resultsPath(name))
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// resultsPath is the path of the results of a built-in study.
func resultsPath(name string) string { return path.Join("results", name+".json.gz") }

// Results returns the results of the built-in study of a name, with the version of the program that ran each cell;
// cells that were not run are waiting, and their traces are empty. It is false if there are no results.
func Results(name string) (*study.Table, bool) {
	rows, err := storedRows(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	var t *study.Table
	if err == nil {
		d, _ := Find(name)
		t, err = mergeRows(d, rows)
	}
	if err != nil {
		panic(fmt.Sprintf("the results of the built-in study %s: %v", name, err)) // tests read them all
	}
	return t, true
}

// storedRows are the cells of a built-in study that were run.
func storedRows(name string) ([]study.Row, error) {
	text, err := results.ReadFile(resultsPath(name))
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	t, err := Read(plain)
	if err != nil {
		return nil, err
	}
	return t.Rows, nil
}

// mergeRows puts rows into the table of a study: each cell has its row, or is waiting. Rows of no cell are left out.
func mergeRows(d *study.Declaration, rows []study.Row) (*study.Table, error) {
	cells, err := d.Cells()
	if err != nil {
		return nil, err
	}
	owners := make(map[study.Cell]study.Row, len(rows))
	for _, r := range rows {
		owners[r.Cell] = r
	}
	t := &study.Table{Declaration: d, Rows: make([]study.Row, len(cells))}
	for i, c := range cells {
		r, ok := owners[c]
		if !ok {
			r = study.Row{Cell: c, Status: study.Waiting}
		}
		t.Rows[i] = r
	}
	return t, nil
}
