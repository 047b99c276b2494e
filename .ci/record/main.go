//go:build record

// Command record makes the recordings of the repository again with the present code: the lessons, the gallery, the
// pictures of the README, and the sessions that one build of the program records for the others.
//
//	go run -tags record ./.ci/record
//	go run -tags record ./.ci/record -only lessons/18
//
// Every recording is made by commands of bandscope from a script beside it, or from the list below. The command prints
// what differs from the file before, and the claims of lessons and goals of exercises that do not hold any more: read
// the pages around them, and change their scripts. The same code gives the same bytes on the same kind of processor.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bandscope/tui/cli"
)

// recording is a file of the repository, with the command of bandscope that makes it.
type recording struct {
	file    string
	command []string // writes to newFile
	check   []string // the command that checks what a lesson claims; nil for none
}

// newFile is the word of a command in whose place the path of a file is put.
const newFile = "NEW"

func main() {
	only := regexp.MustCompile("")
	flag.Func("only", "record only files whose path matches this expression", func(text string) (err error) {
		only, err = regexp.Compile(text)
		return err
	})
	flag.Parse()
	ctx := cli.Interruptible()
	if err := recordAll(ctx, os.Stdout, only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// recordings lists all files that commands of bandscope make.
func recordings() ([]recording, error) {
	var list []recording
	scripts, err := filepath.Glob(filepath.Join(".readme", "*.script"))
	if err != nil {
		return nil, err
	}
	for _, script := range scripts {
		list = append(list, recording{file: strings.TrimSuffix(script, ".script") + ".svg",
			command: []string{"script", script, "--svg", newFile}})
	}
	for _, folder := range []string{"lessons", "gallery"} {
		scripts, err := filepath.Glob(filepath.Join("sessions", "library", folder, "*.md"))
		if err != nil {
			return nil, err
		}
		for _, script := range scripts {
			list = append(list, lessonRecording(script))
		}
	}
	return list, nil
}

// lessonRecording is the recording of a lesson with its script.
func lessonRecording(script string) recording {
	return recording{file: strings.TrimSuffix(script, ".md") + ".jsonl",
		command: []string{"lesson", "new", newFile, "--script", script}, check: []string{"lesson", "check", script}}
}

// buildsFolder has sessions of the ordinary build, which a test of their package records.
const buildsFolder = "sessions/report/testdata/builds"

// recordAll replaces the recordings that match, and prints the differences.
func recordAll(ctx context.Context, out io.Writer, only *regexp.Regexp) error {
	list, err := recordings()
	if err != nil {
		return err
	}
	broken := 0
	for _, r := range list {
		if !only.MatchString(r.file) {
			continue
		}
		if err := r.replace(ctx, out); err != nil {
			return fmt.Errorf("%s: %w", r.file, err)
		}
		if r.check == nil {
			continue
		}
		text, err := run(ctx, r.check)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			broken++
			fmt.Fprintf(out, "%s  %v\n", indent(text), err)
		}
	}
	if only.MatchString(buildsFolder) {
		c := exec.CommandContext(ctx, "go", "test", "./sessions/report", "-run", "TestEveryBuildRepeatsTheOthers", "-update")
		if text, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", buildsFolder, err, text)
		}
	}
	if broken > 0 {
		return fmt.Errorf("the claims of %d scripts no longer hold: read their pages", broken)
	}
	return nil
}

// replace makes a recording in the place of the file before, and prints what differs.
func (r recording) replace(ctx context.Context, out io.Writer) error {
	folder, err := os.MkdirTemp("", "bandscope-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	made, err := r.make(ctx, folder)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(r.file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", r.file, compare(before, made))
	if bytes.Equal(before, made) {
		return nil
	}
	return os.WriteFile(r.file, made, 0o644)
}

// make makes a recording in a folder, and returns its bytes.
func (r recording) make(ctx context.Context, folder string) ([]byte, error) {
	path := filepath.Join(folder, filepath.Base(r.file))
	command := slices.Clone(r.command)
	command[slices.Index(command, newFile)] = path
	if text, err := run(ctx, command); err != nil {
		return nil, fmt.Errorf("bandscope %s: %w\n%s", strings.Join(command, " "), err, text)
	}
	return os.ReadFile(path)
}

// run runs a command of bandscope and returns what it prints.
func run(ctx context.Context, words []string) (string, error) {
	var text bytes.Buffer
	root := cli.Root()
	root.SetArgs(words)
	root.SetOut(&text)
	root.SetErr(&text)
	root.SilenceErrors = true
	root.SilenceUsage = true
	err := root.ExecuteContext(ctx)
	return text.String(), err
}

// indent is a text with each line indented by two spaces.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}
