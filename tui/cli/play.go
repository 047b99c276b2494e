package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui"
)

// playOptions are the flags of a playground.
type playOptions struct {
	Optimizer string
	Set       []string
	Seed      uint64
	Save      string // file of a new session

	flags *pflag.FlagSet
}

func playCommand() *cobra.Command {
	var o playOptions
	var screen tui.Options
	c := &cobra.Command{Use: "play [FILE]", Short: "Put results on a plot and see what a belief makes of them",
		Args: args(cobra.MaximumNArgs(1)),
		Long: "Put results on an empty plot and see what a belief makes of them. A click puts a result, a drag moves\n" +
			"it, a right click removes it, and the mean and the band follow. Brackets on the plot change the\n" +
			"hyperparameters. FILE is a saved playground, by its path or its name.",
		ValidArgsFunction: completeArgs(sessionWords(&screen.Rights.Sessions)),
		Example: "  bandscope play\n  bandscope play -o gp-ei --set kernel=periodic*se\n" +
			"  bandscope play -o ntk-ucb --set kernel=nngp --save play.jsonl\n  bandscope play play.jsonl",
		RunE: func(c *cobra.Command, files []string) error {
			s, err := o.open(c.Context(), screen.Rights.Sessions, files)
			if err != nil {
				return err
			}
			screen.Playground = s
			return explore(c.Context(), screen, settings{}, execOptions{}, nil)
		}}
	f := c.Flags()
	o.flags = f
	f.StringVarP(&o.Optimizer, "optimizer", "o", "", "method whose belief is shown; the default is a Gaussian process with fixed hyperparameters")
	f.StringArrayVar(&o.Set, "set", nil, "parameter of the method, as key=value; may be repeated")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of samples and networks")
	f.StringVar(&o.Save, "save", "", "file to save the playground to; it must not exist")
	screenFlags(c, &screen)
	c.MarkFlagFilename("save", "jsonl")
	owner := settings{}
	completeFlag(c, "optimizer", owner.OptimizerWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaExplorer)
}

// open opens the playground in a file, or makes an empty one.
func (o *playOptions) open(ctx context.Context, dir string, files []string) (*sessions.Session, error) {
	if !onTerminal() {
		return nil, usagef("the playground needs a terminal; bandscope predict FILE --grid 51 prints the belief of a saved one")
	}
	if len(files) == 1 {
		for _, flag := range []string{"optimizer", "set", "seed"} {
			if o.flags.Changed(flag) {
				return nil, usagef("--%s cannot be used with FILE: the playground in the file has its own", flag)
			}
		}
		s, err := sessions.OpenProtected(ctx, sessionFile(files[0], dir))
		s, err = recorded(ctx, s, err, os.Stderr)
		if err != nil {
			return nil, err
		}
		if !s.State().Config.Playground {
			return nil, errors.Join(usagef("%s is not a playground; bandscope %s opens it", files[0], files[0]), s.Close())
		}
		return s, o.save(s)
	}
	cfg, err := o.config()
	if err != nil {
		return nil, asUsage(err)
	}
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, asUsage(err)
	}
	return s, o.save(s)
}

// save keeps the session in the file that the options name.
func (o *playOptions) save(s *sessions.Session) error {
	if o.Save == "" {
		return nil
	}
	if err := s.SaveAs(o.Save); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// config is the configuration of a new playground. Without a method, it has the first belief of the list of presets.
func (o *playOptions) config() (sessions.Config, error) {
	belief := sessions.BeliefConfig{Optimizer: o.Optimizer}
	if o.Optimizer == "" {
		first := registry.Presets()[0]
		belief = sessions.BeliefConfig{Optimizer: first.Method, Params: first.Set}
	}
	cfg := sessions.PlaygroundConfig(belief, o.Seed)
	declared, err := cfg.Defaults()
	if err != nil {
		return cfg, err
	}
	params, err := declared.WithAll(belief.Params)
	if err != nil {
		return cfg, err
	}
	params, err = withPairs(params, o.Set)
	if err != nil {
		return cfg, err
	}
	cfg.Params = params.Changed()
	return cfg, nil
}
