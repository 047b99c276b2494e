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
	if r.file.Table == nil {
		return
	}
	position := Place{Table: tableTable, Index: 0, Key: "file"}
	for i := range r.Variables {
		for _, key := range []string{"low", "high", "values", "choices", "descriptors"} {
			if r.positions.Has(Place{Table: Variables, Index: i, Key: key}) {
				r.addFault(Place{Table: Variables, Index: i, Key: key}, "%s of a variable of a table follows from the table; remove it", key)
			}
		}
	}
	if len(r.faults.List) > 0 {
		return
	}
	text, err := r.openTable(open)
	if err != nil {
		r.addFault(position, "%s", err.Error())
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
		r.addFault(position, "%s: %v", r.file.Table.File, err)
		return
	}
	hash := sha256.Sum256(text)
	r.Table.File, r.Table.SHA256 = r.file.Table.File, hex.EncodeToString(hash[:])
}

// openTable is the content of the table's file.
func (r *reader) openTable(open FileReader) ([]byte, error) {
	switch {
	case open == nil:
		return nil, fmt.Errorf("the table %q cannot be read here; use a file of the experiment", r.file.Table.File)
	case !filepath.IsLocal(r.file.Table.File):
		return nil, fmt.Errorf("the table must be in the folder of this file or below it, got %q", r.file.Table.File)
	}
	return open(r.file.Table.File, MaxTableFile)
}
