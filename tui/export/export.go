// Package export writes what a session shows as files that other programs show: pictures, a notebook on one page, a
// recording. A session and a path or a writer go in, and the session is left where it stands. The drawings are those of
// the screens, told to an SVG or taken from the explorer frame by frame; what is a table of numbers is made below and
// only passed on.
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

// writers are the formats of this package; those of package sessions come beside them.
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

// Write writes a session in a format: csv, json and txt have what happened up to where it stands, svg the plot there,
// html the notebook of the whole branch, cast a recording of its replay. The session itself is left alone. A notebook
// takes as long as its fits; how far it is goes to progress, which may be nil.
func Write(ctx context.Context, w io.Writer, s *sessions.Session, format string, progress sessions.Progress) error {
	if write := writers[format]; write != nil {
		copied, err := s.Detach(ctx)
		if err != nil {
			return err
		}
		return write(ctx, w, copied, progress)
	}
	if !slices.Contains(report.Formats, format) {
		return didyoumean.NewUnknownError("format", format, Formats())
	}
	return report.Export(ctx, s.State(), w, format)
}

// File writes a session to a new file, in the format of its ending.
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

// New writes a new file. What is not whole is removed.
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
