// Package cli is the command line: the tree of commands, a file for each, with their flags, their help, what a shell
// completes, and the texts and JSON that they print. Words and options go in; the sessions, studies and lessons are
// those of the packages below, and a screen is one call of package tui. What commands share: settings.go (flags of a
// problem), open.go (sessions by path or name), complete.go, bar.go (progress), signals.go (how a command ends).
package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui"
	"bandscope/tui/graphics"
	"bandscope/tui/rights"
)

// Root is the tree of commands; without one, the program opens the explorer.
func Root() *cobra.Command {
	c := opensExplorer(&cobra.Command{Use: "bandscope [FILE]", Short: "See what a black-box optimizer believes, and steer it",
		SilenceUsage: true, SilenceErrors: true, Version: sessions.ProgramVersion()})
	c.SetFlagErrorFunc(flagError)
	c.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return asUsage(checkFlags(c)) }
	c.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	addCommands(c)
	useScreens()
	linkGuides(c)
	return c
}

func openCommand() *cobra.Command {
	return opensExplorer(&cobra.Command{Use: "open [FILE]", Short: "Open the explorer on a new session, or on the one in FILE",
		Long: "Open the explorer on a new session, or on the one in FILE. The word open can be left out.",
		Example: "  bandscope open\n  bandscope open s.jsonl\n  bandscope open -f branin -o gp-ei\n" +
			"  bandscope -f branin -o gp-ei"})
}

// opensExplorer makes a command open the explorer.
func opensExplorer(c *cobra.Command) *cobra.Command {
	o := tui.Options{}
	setting := settings{}
	exec := execOptions{}
	c.Args = args(cobra.MaximumNArgs(1))
	c.RunE = func(c *cobra.Command, files []string) error {
		if len(files) == 1 {
			if err := cmp.Or(checkUnset(c, "FILE"), setting.AllowProgram()); err != nil {
				return err
			}
		}
		o.FrontDoor = len(files) == 0 && checkUnset(c, "") == nil && !exec.Enabled()
		return explore(c.Context(), o, setting, exec, files)
	}
	setting.Flags(c)
	exec.Flags(c.Flags())
	screenFlags(c, &o)
	c.ValidArgsFunction = completeArgs(sessionWords(&o.Rights.Sessions))
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaExplorer)
}

func screenFlags(c *cobra.Command, o *tui.Options) {
	o.Rights = rights.Own(library.DefaultDir())
	f := c.Flags()
	f.StringVar(&o.Rights.Sessions, "dir", o.Rights.Sessions, "folder where sessions are kept")
	f.BoolVar(&o.ASCII, "ascii", false, "draw with ASCII characters only")
	f.BoolVar(&o.NoMouse, "no-mouse", false, "do not use the mouse; the terminal can select text")
	f.StringVar(&o.Theme, "theme", "auto", "background of the terminal: auto, dark or light")
	f.StringVar(&o.Colors, "colors", "auto", "number of colors: "+strings.Join(colors[:4], ", ")+" or none")
	f.Var(&o.Graphics, "graphics", "plots: auto, cells, or pictures by kitty's protocol or sixel")
	completeFlag(c, "graphics", choices(graphics.Names...))
	completeFlag(c, "theme", choices(themes...))
	completeFlag(c, "colors", choices(colors...))
	c.MarkFlagDirname("dir")
}

// The values of --theme and --colors.
var themes, colors = []string{"auto", "dark", "light"}, []string{"auto", "truecolor", "256", "16", "none"}

// defaultDir is the folder of the sessions that a shell completes.
var defaultDir = library.DefaultDir()

// savedSessionWords completes sessions by their paths, and those of defaultDir by their names.
var savedSessionWords = sessionWords(&defaultDir)

// explore opens the screen on a new session, a session in a file, a lab or a study.
func explore(ctx context.Context, o tui.Options, setting settings, exec execOptions, files []string) error {
	if !slices.Contains(themes, o.Theme) {
		return usagef("--theme must be auto, dark or light, got %q", o.Theme)
	}
	if !slices.Contains(colors, o.Colors) {
		return usagef("--colors must be auto, truecolor, 256, 16 or none, got %q", o.Colors)
	}
	var err error
	file := ""
	if len(files) == 1 {
		file = sessionFile(files[0], o.Rights.Sessions)
		path := file
		if o.Replay {
			path, _, _ = splitBranch(file)
		}
		if _, err := eventlog.Stat(path); err != nil {
			return noSession(files[0], Root(), err)
		}
	}
	if !onTerminal() {
		return usagef("the screen needs a terminal; bandscope run and bandscope lab --plain work without one (see bandscope --help)")
	}
	switch {
	case file != "":
		err = openFile(ctx, &o, setting, file)
	case o.Session == nil && o.Opened == nil && o.Playground == nil:
		if o.FrontDoor {
			o.Session, err = library.NewDefault(ctx)
		} else {
			o.Session, err = setting.Start(ctx)
		}
		o.Offer = !exec.Enabled() // a program evaluates what it was started for
		if o.Rights.Sessions == "" {
			o.Notice = "HOME is not set: sessions are not kept on disk; w saves this one, --dir sets a folder"
		}
		if err == nil && o.Notice == "" && !o.FrontDoor {
			o.Notice = strings.Join(setting.defaultNotice(o.Session.State()), "")
		}
	}
	if err == nil && o.Session != nil && o.Session.State().Config.Playground {
		o.Session, o.Playground = nil, o.Session
	}
	if exec.Enabled() || setting.File != "" {
		if err := closeUnevaluated(o); err != nil {
			return err
		}
	}
	if err == nil && o.Session == nil { // closing a lab or a playground leads to the default session
		o.Session, err = library.NewDefault(ctx)
	}
	if err != nil {
		return err
	}
	if exec.Enabled() {
		if err := o.Session.Continue(); err != nil {
			return errors.Join(err, o.Session.Close())
		}
	}
	end, err := exec.AttachOne(ctx, o.Session)
	if err != nil {
		return errors.Join(err, o.Session.Close())
	}
	defer end()
	o.Author = screenAuthor(ctx)
	deferExit(ctx) // the terminal is put back in order
	return tui.Run(ctx, o)
}

// openFile opens the session or the lab in a file; changes during a replay go into a copy.
func openFile(ctx context.Context, o *tui.Options, setting settings, file string) (err error) {
	openSession, openTraining := sessions.OpenProtected, training.OpenProtected
	if o.Replay {
		openSession, openTraining = sessions.OpenReadOnly, training.OpenReadOnly
	}
	branch, named := "", false
	if o.Replay {
		file, branch, named = splitBranch(file)
	}
	o.Session, err = openSession(ctx, file)
	if err == nil && o.Replay {
		err = goToBranch(o.Session, file, branch, named, io.Discard)
	}
	if errors.Is(err, sessions.ErrTraining) {
		o.Opened, err = openTraining(ctx, file)
	} else if err == nil && setting.File != "" && !o.Replay {
		o.Notice = o.Session.CompareDeclaration(setting.File)
	}
	return err
}

// closeUnevaluated closes a lab or a playground, which no program evaluates, and returns an error if there is one.
func closeUnevaluated(o tui.Options) error {
	const flags = "--exec and --problem cannot be used with a "
	switch {
	case o.Opened != nil:
		return errors.Join(usagef(flags+"lab, which optimizes nothing"), o.Opened.Close())
	case o.Playground != nil:
		return errors.Join(usagef(flags+"playground, whose results a person puts"), o.Playground.Close())
	}
	return nil
}

func compareCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "compare NAME", Short: "Open a built-in comparison of methods",
		Long: "Open a built-in comparison of methods. bandscope list comparisons lists them.",
		Args: args(cobra.ExactArgs(1)), ValidArgsFunction: completeArgs(listWords("comparisons", &screen.Rights.Sessions)),
		RunE: func(c *cobra.Command, a []string) (err error) {
			screen.Comparison, err = library.FindComparison(a[0])
			if err != nil {
				return asUsage(err)
			}
			return explore(c.Context(), screen, settingsFor(screen.Comparison.Config), execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaExplorer)
}
