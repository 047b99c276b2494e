package published

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
)

// version is the version of the format, which changes when older readers would misread it.
const version = 1

// maxFile bounds the size of a file of a study, in bytes.
const maxFile = 1 << 30

// file is a study as JSON.
type file struct {
	Format  string             `json:"format"`
	Version int                `json:"version"`
	Program string             `json:"program"` // that wrote it
	Study   *study.Declaration `json:"study"`
	Cells   []study.Row        `json:"cells"`
}

const format = "bandscope study"

// JSON writes a complete study for Read, as one object: "format", "version", "program", "study", "cells". Numbers are
// in their shortest exact form; null means that a number is not known yet.
func JSON(w io.Writer, t *study.Table) error {
	return sanitize.JSON(w, file{Format: format, Version: version, Program: sessions.ProgramVersion(),
		Study: t.Declaration, Cells: t.Rows})
}

// Read reads the output of JSON. The error says why a text is not a study, or that its format has another version.
func Read(r io.Reader) (*study.Table, error) {
	limited := &io.LimitedReader{R: r, N: maxFile}
	text, err := io.ReadAll(limited)
	switch {
	case err != nil:
		return nil, err
	case limited.N == 0:
		return nil, fmt.Errorf("the file is larger than %d bytes, the limit for a study", maxFile)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("the file is not a study in JSON: %w", err)
	}
	switch {
	case head.Format != format:
		return nil, fmt.Errorf("the file is not a study: its format must be %q, got %q", format, sanitize.Text(head.Format))
	case head.Version != version:
		return nil, fmt.Errorf("the file has version %d of the format, but this program reads version %d",
			head.Version, version)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("the file is not a study in JSON: %w", err)
	}
	if f.Study == nil {
		return nil, errors.New("the file has no declaration of a study")
	}
	if err := f.Study.CheckShape(); err != nil {
		return nil, err
	}
	for i := range f.Cells {
		if err := f.Cells[i].Check(); err != nil {
			return nil, fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return &study.Table{Declaration: f.Study, Rows: f.Cells}, nil
}
