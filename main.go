// Command bandscope shows what a black-box optimizer believes. Here is its tree of commands and nothing more: flags and arguments go in, one call
// goes out, to the screen (package tui) or to the program without one (package sessions/headless), and an error comes back that becomes the exit
// status. What a command does, and every text that it prints, is theirs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/headless"
	"bandscope/sessions/headless/asking"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/explain"
	"bandscope/sessions/headless/judging"
	"bandscope/sessions/headless/labs"
	"bandscope/sessions/headless/look"
	"bandscope/sessions/headless/studying"
	"bandscope/sessions/lab"
	"bandscope/sessions/shelf"
	"bandscope/tui"
	"bandscope/tui/export"
	"bandscope/tui/guide"
	"bandscope/tui/lessons"
	screened "bandscope/tui/study"
	"bandscope/tui/study/report"
)

func main() {
	ctx := command.Interruptible()
	os.Exit(command.Status(ctx, os.Stderr, root().ExecuteContext(ctx)))
}

var args = command.Args

func root() *cobra.Command {
	o, setting, exec := tui.Options{}, headless.Setting{}, headless.Exec{}
	c := &cobra.Command{
		Use: "bandscope [FILE]", Short: "See what a black-box optimizer believes, and steer it",
		Long: "Without a command, bandscope opens the explorer: on a new session, or on the one in FILE.",
		Example: "  bandscope -f branin -o gp-ei\n  bandscope run -f forrester -o gp-ei -n 25 --seed 7 --save s.jsonl\n  bandscope s.jsonl\n" +
			"  bandscope replay --verify s.jsonl\n  bandscope bench -f branin -o gp-ei,random --seeds 10\n  bandscope lab flops",
		Args: args(cobra.MaximumNArgs(1)), SilenceUsage: true, SilenceErrors: true, Version: sessions.ProgramVersion(),
		RunE: func(c *cobra.Command, files []string) error {
			if len(files) == 1 {
				if err := headless.Unset(c, "FILE"); err != nil {
					return err
				}
			}
			if first := shelf.First(); len(files) == 0 && headless.Unset(c, "") == nil && !exec.Asked() {
				setting.Function, setting.Optimizer, setting.Seed, o.Beside = first.Problem, first.Optimizer, first.Seed, true
			}
			return explore(c.Context(), o, setting, exec, files)
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return command.Wrong(err) })
	c.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return command.Wrong(headless.CheckFlags(c)) }
	setting.Flags(c)
	exec.Flags(c.Flags())
	screenFlags(c, &o)
	c.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	c.ValidArgsFunction = headless.Offered(headless.SessionWords(&o.Dir))
	c.AddCommand(runCommand(), replayCommand(), inspectCommand(), listCommand(), evalCommand(), exportCommand(), compareCommand(),
		labCommand(), lessonCommand(), diffCommand(), correctCommand(), versionCommand(), manCommand(),
		newCommand(), askCommand(), tellCommand(), statusCommand(), pipeCommand(), objectiveCommand(), narrowCommand())
	c.AddCommand(append(judging.Commands(&defaultDir), explain.Command(), guide.Command())...)
	c.AddCommand(studyCommands()...)
	return c
}

// screenFlags adds the flags that say how the screen looks.
func screenFlags(c *cobra.Command, o *tui.Options) {
	f := c.Flags()
	f.StringVar(&o.Dir, "dir", shelf.DefaultDir(), "folder where sessions are kept")
	f.BoolVar(&o.ASCII, "ascii", false, "draw with plain characters only")
	f.BoolVar(&o.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	f.StringVar(&o.Theme, "theme", "auto", "auto, dark or light")
	f.StringVar(&o.Colors, "colors", "auto", strings.Join(colors[:4], ", ")+" or none")
	headless.Offer(c, "theme", headless.These(themes...))
	headless.Offer(c, "colors", headless.These(colors...))
	c.MarkFlagDirname("dir")
}

// The values of --theme and --colors.
var themes, colors = []string{"auto", "dark", "light"}, []string{"auto", "truecolor", "256", "16", "none"}

// defaultDir is where sessions are that a shell offers.
var defaultDir = shelf.DefaultDir()

func compareCommand() *cobra.Command {
	var o tui.Options
	c := &cobra.Command{Use: "compare NAME", Short: "Open a built-in comparison; see list comparisons", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.ListWords("comparisons", &o.Dir)),
		RunE: func(c *cobra.Command, a []string) error {
			comparison, err := shelf.FindComparison(a[0])
			if err != nil {
				return command.Wrong(err)
			}
			o.Comparison = comparison
			behind := headless.Setting{Function: comparison.Config.Problem, Optimizer: comparison.Config.Optimizer, Seed: comparison.Config.Seed}
			return explore(c.Context(), o, behind, headless.Exec{}, nil)
		}}
	screenFlags(c, &o)
	return c
}

func explore(ctx context.Context, o tui.Options, setting headless.Setting, exec headless.Exec, files []string) error {
	if !slices.Contains(themes, o.Theme) {
		return command.Wrong(fmt.Errorf("--theme must be auto, dark or light, got %q", o.Theme))
	}
	if !slices.Contains(colors, o.Colors) {
		return command.Wrong(fmt.Errorf("--colors must be auto, truecolor, 256, 16 or none, got %q", o.Colors))
	}
	var err error
	file := ""
	if len(files) == 1 {
		file = command.FileOf(files[0], o.Dir)
		if _, err := os.Stat(file); err != nil {
			return command.NoSession(files[0], root(), err)
		}
	}
	if !command.OnTerminal() {
		return command.Wrong(errors.New("the screen needs a terminal; bandscope run, and of a lab bandscope lab --plain, work without one (bandscope --help)"))
	}
	switch {
	case file != "" && o.Replay: // what is done while it plays goes into a copy
		if o.Session, err = sessions.Peek(ctx, file); errors.Is(err, sessions.ErrLab) {
			o.Lab, err = lab.Peek(ctx, file)
		}
	case file != "":
		if o.Session, err = sessions.OpenContext(ctx, file); errors.Is(err, sessions.ErrLab) {
			o.Lab, err = lab.Open(ctx, file)
		} else if err == nil && setting.File != "" {
			o.Notice = o.Session.Declared(setting.File)
		}
	case o.Session == nil && o.Lab == nil:
		o.Session, err = setting.Start(ctx)
		o.Offer = !exec.Asked() // a program evaluates what it was started for
		if o.Dir == "" {
			o.Notice = "HOME is not set: nothing is kept on disk; w saves, --dir names a folder"
		}
	}
	if o.Lab != nil && (exec.Asked() || setting.File != "") {
		return errors.Join(command.Wrong(errors.New("--exec and --problem do not go with a lab: nothing is optimized in it")), o.Lab.Close())
	}
	if err == nil && o.Session == nil { // behind a lab stands what is explored first
		o.Session, err = sessions.New(ctx, shelf.First())
	}
	if err != nil {
		return err
	}
	end, err := exec.AttachOne(ctx, o.Session)
	if err != nil {
		return errors.Join(err, o.Session.Close())
	}
	defer end()
	command.Patient(ctx) // the terminal is put back in order
	return tui.Run(ctx, o)
}

func labCommand() *cobra.Command {
	var o labs.Options
	var screen tui.Options
	c := &cobra.Command{Use: "lab NAME", Short: "Watch a training from inside; without a terminal train it, and print its trace", Args: args(cobra.MaximumNArgs(1)), ValidArgsFunction: headless.Offered(headless.ListWords("labs", &defaultDir)),
		Example: "  bandscope lab flops\n  bandscope lab flops --beside contrast --save sparse.jsonl\n  bandscope lab hierarchy --set lambda_e=0 --seed 2 --plain\n  bandscope lab --resume sparse.jsonl -n 100 --json",
		RunE: func(c *cobra.Command, a []string) error {
			s, err := o.Open(c.Context(), os.Stderr, screen.Dir, a)
			if err != nil {
				return err
			}
			if o.Watched() {
				screen.Lab = s
				return explore(c.Context(), screen, headless.Setting{}, headless.Exec{}, nil)
			}
			return labs.Train(c.Context(), os.Stdout, os.Stderr, s, &o)
		}}
	o.Flags(c.Flags())
	screenFlags(c, &screen)
	c.MarkFlagFilename("save", "jsonl")
	headless.Offer(c, "resume", headless.SessionWords(&defaultDir))
	headless.Offer(c, "set", headless.LabWords)
	headless.Offer(c, "beside", headless.BesideWords)
	return c
}

func lessonCommand() *cobra.Command {
	var o tui.Options
	show := func(c *cobra.Command, files ...string) error {
		return explore(c.Context(), o, headless.Setting{}, headless.Exec{}, files)
	}
	return lessons.Command(&o.Dir, lessons.Window{Flags: func(c *cobra.Command) { screenFlags(c, &o) }, Write: func(c *cobra.Command, path string) error { return show(c, path) },
		Read: func(c *cobra.Command, s *sessions.Session, l *lab.Session) error {
			o.Session, o.Lab = s, l
			return show(c)
		}})
}

func studyCommands() []*cobra.Command {
	var o tui.Options
	show := func(c *cobra.Command) error {
		return explore(c.Context(), o, headless.Setting{Function: shelf.First().Problem, Optimizer: shelf.First().Optimizer, Seed: shelf.First().Seed}, headless.Exec{}, nil)
	}
	return studying.Commands(studying.Window{Flags: func(c *cobra.Command) { screenFlags(c, &o) }, HTML: report.HTML,
		Show: func(c *cobra.Command, opened studying.Opened) error {
			o.Study = screened.Of(opened)
			return show(c)
		},
		List: func(c *cobra.Command) error {
			o.Studies = true
			return show(c)
		},
		Curves: func(results []studying.Result, costBudget float64, logarithm bool) error {
			return tui.Curves(os.Stdout, results, costBudget, logarithm)
		}})
}

func diffCommand() *cobra.Command {
	return &cobra.Command{Use: "diff FILE[#BRANCH] [FILE[#BRANCH]]", Short: "Compare the decisions of two sessions or branches, or list the branches of one",
		Args: args(cobra.RangeArgs(1, 2)), ValidArgsFunction: headless.Offered(headless.BranchWords(&defaultDir), headless.BranchWords(&defaultDir)),
		RunE: func(c *cobra.Command, a []string) error { return headless.Diff(c.Context(), os.Stdout, os.Stderr, a) }}
}

func correctCommand() *cobra.Command {
	return &cobra.Command{Use: "correct FILE CHANGE", Short: "Correct a session: step 7 = 1.25 [sd 0.3] [at x=0.4] [cost 2], point 9 = 18.5, drop step 7, x in 0..0.5, x = 0.3, free x, reject [7]; because …",
		Args: args(cobra.ExactArgs(2)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir), headless.ChangeWords),
		RunE: func(c *cobra.Command, a []string) error {
			return headless.Correct(c.Context(), os.Stdout, os.Stderr, a[0], a[1])
		}}
}

func runCommand() *cobra.Command {
	var o headless.RunOptions
	c := &cobra.Command{Use: "run", Short: "Step a session without a screen", Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Resume != "" {
				if err := headless.Unset(c, "--resume"); err != nil {
					return err
				}
			}
			return headless.Run(c.Context(), os.Stdout, os.Stderr, o)
		}}
	o.Setting.Flags(c)
	o.Exec.Flags(c.Flags())
	f := c.Flags()
	f.IntVarP(&o.Steps, "steps", "n", 0, "iterations to do now; 0 goes on to the budget")
	f.StringVar(&o.Save, "save", "", "file to keep the session in; it must not exist")
	f.StringVar(&o.Resume, "resume", "", "file of a session to go on with")
	f.BoolVar(&o.JSON, "json", false, "one JSON object an iteration")
	c.MarkFlagFilename("save", "jsonl")
	headless.Offer(c, "resume", headless.SessionWords(&defaultDir))
	return c
}

func newCommand() *cobra.Command {
	var o headless.Setting
	c := &cobra.Command{Use: "new FILE", Short: "Begin a session that is asked and told, on an experiment of one's own (--problem) or a function (-f)", Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, a []string) error {
			if !c.Flags().Changed("problem") && !c.Flags().Changed("function") {
				return command.Wrong(errors.New("what is optimized? --problem FILE declares an experiment, -f NAME takes a test function"))
			}
			return headless.New(c.Context(), os.Stdout, a[0], o)
		}}
	o.Flags(c)
	return c
}

func askCommand() *cobra.Command {
	var o asking.AskOptions
	c := &cobra.Command{Use: "ask FILE", Short: "Print points to evaluate: those that are out already, and what is suggested besides", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir)),
		Example: "  bandscope ask espresso.jsonl -n 3\n  bandscope ask oven.jsonl -n 8 --same temperature --apart 0.1\n  bandscope ask espresso.jsonl -n 2 --beside dose=17,time=30",
		RunE: func(c *cobra.Command, a []string) error {
			return asking.Ask(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}}
	o.Flags(c.Flags())
	headless.Offer(c, "same", headless.VariableNames)
	headless.Offer(c, "beside", headless.VariableWords)
	return c
}

func tellCommand() *cobra.Command {
	var o asking.TellOptions
	c := &cobra.Command{Use: "tell FILE POINT|new [NAME=VALUE]...", Short: "Record what came of a point that is out, or with new of one that nobody suggested", Args: args(cobra.MinimumNArgs(1)),
		Example:           "  bandscope tell espresso.jsonl 7 extraction=18.2 bitterness=3\n  bandscope tell espresso.jsonl 8 --failed 'the machine leaked'\n  bandscope tell espresso.jsonl new --at dose=17,time=30 extraction=18 bitterness=4\n  bandscope tell plate.jsonl 3 yield=42 --at solvent=DMF",
		ValidArgsFunction: headless.TellWords(&defaultDir),
		RunE: func(c *cobra.Command, a []string) error {
			return asking.Tell(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], o)
		}}
	o.Flags(c.Flags())
	c.MarkFlagFilename("csv", "csv")
	headless.Offer(c, "sd", headless.ObjectiveWords)
	headless.Offer(c, "at", headless.VariableWords)
	return c
}

func statusCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "status FILE", Short: "Tell how a session stands: what is out, and the best so far", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir)),
		RunE: func(c *cobra.Command, a []string) error {
			return asking.Standing(c.Context(), os.Stdout, os.Stderr, a[0], asJSON)
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}

func objectiveCommand() *cobra.Command {
	var o headless.ObjectiveOptions
	c := &cobra.Command{Use: "objective FILE [add|drop|turn|expect|limit NAME]", Short: "Add, drop or turn an objective of an experiment midway, say what is expected of it, or give what is measured a limit; without a verb list them",
		Example:           "  bandscope objective espresso.jsonl add body --direction maximize --range 0,5 -o mobo-rs-ts\n  bandscope objective espresso.jsonl expect bitterness --range 0,8 --noise 0.2\n  bandscope objective espresso.jsonl drop body\n  bandscope objective espresso.jsonl limit temperature --at-most 96 --unit °C",
		Args:              args(cobra.RangeArgs(1, 3)),
		ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir), headless.These(change.Verbs...), headless.ObjectiveNames),
		RunE: func(c *cobra.Command, a []string) error {
			return headless.Objective(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], o)
		}}
	o.Flags(c.Flags())
	headless.Offer(c, "direction", headless.These("minimize", "maximize"))
	headless.Offer(c, "scale", headless.These(change.Linear, change.Log))
	headless.Offer(c, "optimizer", (&headless.Setting{}).OptimizerWords)
	return c
}

func narrowCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{Use: "narrow FILE [NAME=LOW,HIGH]...", Short: "Narrow variables from here on with all data kept, pin them (NAME=VALUE), or free them (NAME=free); without any list the bounds",
		Args: args(cobra.MinimumNArgs(1)), ValidArgsFunction: headless.NarrowWords(&defaultDir),
		RunE: func(c *cobra.Command, a []string) error {
			return headless.Narrow(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], reason)
		}}
	c.Flags().StringVar(&reason, "because", "", "the reason, which is kept on record")
	return c
}

func pipeCommand() *cobra.Command {
	return &cobra.Command{Use: "pipe FILE", Short: "Ask and tell by JSON, a line on standard input and one on standard output, with the belief kept in memory",
		Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir)),
		RunE: func(c *cobra.Command, a []string) error {
			return asking.Pipe(c.Context(), os.Stdin, os.Stdout, os.Stderr, a[0])
		}}
}

func replayCommand() *cobra.Command {
	var o look.ReplayOptions
	var screen tui.Options
	c := &cobra.Command{Use: "replay FILE", Short: "Play a recorded session in the explorer, print it, or verify it", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&screen.Dir)),
		RunE: func(c *cobra.Command, a []string) error {
			if o.Speed < 0 {
				return command.Wrong(fmt.Errorf("--speed must be at least 0, got %g", o.Speed))
			}
			if o.Plays() && command.OnTerminal() {
				screen.Replay, screen.Speed = true, o.Speed
				return explore(c.Context(), screen, headless.Setting{}, headless.Exec{}, a)
			}
			return look.Replay(c.Context(), os.Stdout, os.Stderr, command.FileOf(a[0], screen.Dir), o)
		}}
	o.Flags(c.Flags())
	screenFlags(c, &screen)
	return c
}

func inspectCommand() *cobra.Command {
	o := look.InspectOptions{}
	c := &cobra.Command{Use: "inspect FILE", Short: "Write the belief of a session as numbers", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir)),
		RunE: func(c *cobra.Command, a []string) error {
			return look.Inspect(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}}
	o.Flags(c.Flags())
	headless.Offer(c, "format", headless.These("json", "csv"))
	return c
}

func listCommand() *cobra.Command {
	var asJSON bool
	var dir string
	c := &cobra.Command{Use: "list functions|optimizers|comparisons|labs|lessons|sessions|studies [NAME]", Short: "List what there is", Args: args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: headless.Offered(headless.ListWords("", &dir), headless.ListWords("*", &dir)),
		RunE: func(c *cobra.Command, a []string) error {
			name := ""
			if len(a) == 2 {
				name = a[1]
			}
			return look.List(c.Context(), os.Stdout, a[0], name, dir, asJSON)
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, with every declaration")
	c.Flags().StringVar(&dir, "dir", shelf.DefaultDir(), "folder of the sessions")
	c.MarkFlagDirname("dir")
	return c
}

func evalCommand() *cobra.Command {
	var function, x string
	var seed uint64
	c := &cobra.Command{Use: "eval", Short: "Evaluate a function once", Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return look.Eval(c.Context(), os.Stdout, os.Stderr, function, x, seed)
		}}
	c.Flags().StringVarP(&function, "function", "f", "forrester", "the function")
	c.Flags().StringVarP(&x, "x", "x", "", "the input, values separated by commas, choices by their names")
	c.Flags().Uint64Var(&seed, "seed", 1, "of a function that is a random draw")
	headless.Offer(c, "function", headless.FunctionWords)
	return c
}

func exportCommand() *cobra.Command {
	var format, file string
	c := &cobra.Command{Use: "export FILE", Short: "Write a session for other programs: numbers, a picture, a report, a recording", Args: args(cobra.ExactArgs(1)), ValidArgsFunction: headless.Offered(headless.SessionWords(&defaultDir)),
		RunE: func(c *cobra.Command, a []string) error {
			if !slices.Contains(export.Formats(), format) {
				return command.Wrong(fmt.Errorf("--format must be one of %s, got %q", strings.Join(export.Formats(), ", "), format))
			}
			s, err := command.Read(c.Context(), a[0], os.Stderr)
			if errors.Is(err, sessions.ErrLab) {
				return exportLab(c.Context(), a[0], format, file)
			}
			if err != nil {
				return err
			}
			progress, done := command.Progress(os.Stderr)
			defer done()
			if file == "" {
				return export.Write(c.Context(), command.Heeding(c.Context(), os.Stdout), s, format, progress)
			}
			return export.FileAs(c.Context(), file, s, format, progress)
		}}
	c.Flags().StringVar(&format, "format", "csv", strings.Join(export.Formats(), ", "))
	c.Flags().StringVarP(&file, "output", "o", "", "file to write, which must not exist, in place of standard output")
	c.MarkFlagFilename("output")
	headless.Offer(c, "format", headless.These(export.Formats()...))
	return c
}

// exportLab writes the session of a lab.
func exportLab(ctx context.Context, path, format, file string) error {
	write := func(w io.Writer) error { return labs.Export(ctx, w, os.Stderr, path, format) }
	if file == "" {
		return write(command.Heeding(ctx, os.Stdout))
	}
	return export.New(file, write)
}

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "version", Short: "Tell the version, the commit and the build", Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return headless.Version(os.Stdout, asJSON) }}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, with every setting of the build")
	return c
}

func manCommand() *cobra.Command {
	return &cobra.Command{Use: "man [DIR]", Short: "Write the manual: its first page, or all pages into a folder", Args: args(cobra.MaximumNArgs(1)),
		Long: "Without DIR the first page is written to standard output, as for man -l -.\nInto DIR one page a command is written, for a folder of man's such as ~/.local/share/man/man1.",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, a []string) error {
			return headless.Man(os.Stdout, c.Root(), strings.Join(a, ""))
		}}
}
