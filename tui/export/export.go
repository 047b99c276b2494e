// Package export writes a session as files for other programs: pictures, a report on one page, a recording. It does not
// change the session. Its drawings are those of the screens, as SVG or frame by frame from the explorer; tables of
// numbers come from package report.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// writers are the formats of this package; package report has others.
var writers = map[string]func(ctx context.Context, w io.Writer, s *sessions.Session, progress sessions.Progress) error{
	"svg": func(ctx context.Context, w io.Writer, s *sessions.Session, _ sessions.Progress) error {
		return SVG(ctx, w, s)
	},
	"html": HTML,
	"cast": func(ctx context.Context, w io.Writer, s *sessions.Session, _ sessions.Progress) error {
		return Cast(ctx, w, s, CastWidth, CastHeight, CastSpeed)
	},
}

// Formats are the names of all formats.
func Formats() []string {
	return append(slices.Clone(report.Formats), "svg", "html", "cast")
}

// Write writes a session in a format: csv, json and txt have the iterations up to the current state, svg the current
// plot, html a report on the whole branch, cast a recording of its replay. It does not change the session. A report
// takes as long as its fits; progress may be nil.
func Write(ctx context.Context, w io.Writer, s *sessions.Session, format string, progress sessions.Progress) error {
	if write := writers[format]; write != nil {
		copied, err := s.Detach(ctx)
		if err != nil {
			return err
		}
		defer copied.Close()
		return write(ctx, w, copied, progress)
	}
	if !slices.Contains(report.Formats, format) {
		return didyoumean.NewUnknownError("format", format, Formats())
	}
	return report.Export(ctx, s.State(), w, format)
}

// File writes a session to a new file, in the format of its extension.
func File(ctx context.Context, path string, s *sessions.Session, progress sessions.Progress) error {
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("the file must end in one of .%s, got %q", strings.Join(Formats(), ", ."), path)
	}
	return FileAs(ctx, path, s, format, progress)
}

// FileAs writes a session to a new file in a format.
func FileAs(ctx context.Context, path string, s *sessions.Session, format string, progress sessions.Progress) error {
	return New(path, func(w io.Writer) error { return Write(ctx, w, s, format, progress) })
}

// New writes a new file, and removes it if write fails.
func New(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; choose another name", path)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}
