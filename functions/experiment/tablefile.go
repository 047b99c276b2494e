package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"bandscope/functions/sheet"
)

// readTable reads the table that the file names, from which the variables take their values.
func (r *reader) readTable(open FileReader) {
	if !r.tabulated {
		return
	}
	position := place{tableTable, 0, "file"}
	for i := range r.Variables {
		for _, key := range []string{"low", "high", "values", "choices", "descriptors"} {
			if _, supplied := r.lines[place{variableTable, i, key}]; supplied {
				r.addFault(place{variableTable, i, key}, fmt.Sprintf("%s of a variable of a table follows from the table; remove it", key))
			}
		}
	}
	if _, twice := r.lines[place{tableTable, 1, ""}]; twice {
		r.addFault(place{tableTable, 1, ""}, "there is a second table; an experiment has one table at most")
	}
	if len(r.faults.List) > 0 {
		return
	}
	text, err := r.openTable(open)
	if err != nil {
		r.addFault(position, err.Error())
		return
	}
	in, err := openTableFile(text, sheet.Options{})
	if err == nil {
		err = r.takeTable(in)
	}
	if err == nil {
		err = r.checkRows(in)
	}
	if err != nil {
		r.Table = nil
		r.addFault(position, fmt.Sprintf("%s: %v", r.tableFile, err))
		return
	}
	hash := sha256.Sum256(text)
	r.Table.File, r.Table.SHA256 = r.tableFile, hex.EncodeToString(hash[:])
}

// openTable is the content of the table's file.
func (r *reader) openTable(open FileReader) ([]byte, error) {
	switch {
	case open == nil:
		return nil, fmt.Errorf("the table %q cannot be read here; use a file of the experiment", r.tableFile)
	case !filepath.IsLocal(r.tableFile):
		return nil, fmt.Errorf("the table must be in the folder of this file or below it, got %q", r.tableFile)
	}
	return open(r.tableFile, MaxTableFile)
}
