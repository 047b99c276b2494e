package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/optimizers/program"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
)

// isProgram reports whether a method is named as a program: by its command, or by the file that declares it.
func isProgram(method string) bool {
	return program.IsName(method) || strings.HasSuffix(method, ".toml")
}

// allowProgram allows the program that a method is, because the command line names it, and returns its declaration. The
// timeout of an answer is that of the declaration if it is 0.
func allowProgram(method string, timeout time.Duration) (*program.Declaration, error) {
	d, declared, err := readProgram(method)
	if err != nil {
		return nil, asUsage(err)
	}
	if timeout == 0 {
		timeout = declared
	}
	external.Allow(d.Command, timeout)
	return d, nil
}

// readProgram reads the declaration of a program.
func readProgram(method string) (*program.Declaration, time.Duration, error) {
	if program.IsName(method) {
		d, err := program.FromName(method)
		return d, 0, err
	}
	f, err := eventlog.OpenRegular(method, program.MaxFile)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, program.MaxFile+1))
	if err == nil && len(text) > program.MaxFile {
		err = fmt.Errorf("the file must have at most %d KiB", program.MaxFile>>10)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", method, err)
	}
	d, timeout, err := program.Parse(text)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", method, err)
	}
	return d, timeout, nil
}

// programFlag says which program a session's method may be, for commands that open a session.
type programFlag struct {
	Method  string
	Timeout time.Duration
}

// Flags adds the flags to a command.
func (p *programFlag) Flags(c *cobra.Command) {
	short := "o"
	if c.Flags().ShorthandLookup(short) != nil { // of the output
		short = ""
	}
	c.Flags().StringVarP(&p.Method, "optimizer", short, "", "program that the session's method is, as 'exec:COMMAND' or the file that declares it: without this flag, it is not started")
	suggestTimeoutFlag(c, &p.Timeout)
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, a []string) error {
		if err := p.Allow(); err != nil || before == nil {
			return err
		}
		return before(c, a)
	}
}

// suggestTimeoutFlag adds the flag of the timeout of a program's answers.
func suggestTimeoutFlag(c *cobra.Command, timeout *time.Duration) {
	c.Flags().DurationVar(timeout, "suggest-timeout", 0, fmt.Sprintf("time after which a method that is a program must have answered, such as 90s; 0 is what its file says, or %v", external.DefaultTimeout))
}

// Allow allows the program.
func (p *programFlag) Allow() error {
	switch {
	case p.Timeout < 0:
		return usagef("--suggest-timeout must be above 0, got %v", p.Timeout)
	case p.Method == "" && p.Timeout != 0:
		return usagef("--suggest-timeout needs a method that is a program: add -o 'exec:COMMAND'")
	case p.Method == "":
		return nil
	case !isProgram(p.Method):
		return usagef("-o can only name a program here, as 'exec:COMMAND' or a .toml file: the session in the file has its own method, got %q", p.Method)
	}
	_, err := allowProgram(p.Method, p.Timeout)
	return err
}

// printSubstitute says to errs whose model it is, if the method of a session is a program that has none or is not
// started, and with which flag it starts. It comes after the work, which has fitted the model.
func printSubstitute(ctx context.Context, s *sessions.Session, errs io.Writer, flag string) {
	d := s.State().Program()
	if d == nil {
		return
	}
	b, err := s.Belief(ctx, nil)
	if err != nil || b.Legend().Substitute == "" {
		return
	}
	text := "bandscope: " + sanitize.Text(b.Legend().Substitute)
	if _, allowed := external.Allowed(d.Command); !allowed {
		text += "; " + flag + " " + functions.ShellWord(program.Prefix+d.Command) + " starts it"
	}
	fmt.Fprintln(errs, text)
}

// allowAll allows programs that are named one by one.
func allowAll(methods []string) error {
	var all []error
	for _, m := range methods {
		if !isProgram(m) {
			return usagef("--allow-exec must name a program as 'exec:COMMAND' or a .toml file, got %q", m)
		}
		_, err := allowProgram(m, 0)
		all = append(all, err)
	}
	return errors.Join(all...)
}

// allowExecFlag adds the flag that allows programs of studies.
func allowExecFlag(c *cobra.Command, methods *[]string) {
	c.Flags().StringArrayVar(methods, "allow-exec", nil, "program that may be started as a method of a study, as 'exec:COMMAND' or the file that declares it; may be repeated")
}
