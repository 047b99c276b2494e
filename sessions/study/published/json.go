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

// version is that of the form in which studies are written, which changes where a reader of the one before would be
// wrong.
const version = 1

// maxFile is how much a file of a study may hold, in bytes.
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

// JSON writes everything of a study so that Read has it again, as one object: "format", "version", "program", "study",
// "cells". Numbers are in their shortest form that reads back as they are, null stands for what is no number yet.
func JSON(w io.Writer, t *study.Table) error {
	return sanitize.JSON(w, file{Format: format, Version: version, Program: sessions.ProgramVersion(),
		Study: t.Declaration, Cells: t.Rows})
}

// Read reads what JSON wrote. An error says what is wrong of a text that is no study, or of another version of its
// form.
func Read(r io.Reader) (*study.Table, error) {
	limited := &io.LimitedReader{R: r, N: maxFile}
	text, err := io.ReadAll(limited)
	switch {
	case err != nil:
		return nil, err
	case limited.N == 0:
		return nil, fmt.Errorf("it is larger than %d bytes, which no study is", maxFile)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("it is no study as JSON: %w", err)
	}
	switch {
	case head.Format != format:
		return nil, fmt.Errorf("it is no study: its format must be %q, got %q", format, sanitize.Text(head.Format))
	case head.Version != version:
		return nil, fmt.Errorf("its form has version %d, which this program does not read: it reads version %d",
			head.Version, version)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("it is no study as JSON: %w", err)
	}
	if f.Study == nil {
		return nil, errors.New("it does not say of which study it is")
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
