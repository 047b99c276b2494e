package cli

import (
	"github.com/spf13/cobra"

	"bandscope/sessions/acts"
)

func addCommand() *cobra.Command {
	return plainCommand(acts.Add.Act, "  bandscope add espresso.jsonl --inputs dose=17,time=30 extraction=18 bitterness=4")
}

func correctCommand() *cobra.Command {
	return plainCommand(acts.Correct.Act, "  bandscope correct espresso.jsonl --step 7 extraction=18.5 --reason 'the decimal point slipped'\n"+
		"  bandscope correct espresso.jsonl --step 7 extraction=1.25 --sd extraction=0.3 --cost 2\n"+
		"  bandscope correct espresso.jsonl --point 9 extraction=18.5\n  bandscope correct espresso.jsonl --step 7 --drop")
}

func discardCommand() *cobra.Command {
	return plainCommand(acts.Discard.Act, "  bandscope discard espresso.jsonl\n  bandscope discard espresso.jsonl 7 --reason 'too hot'")
}

func steerCommand() *cobra.Command {
	return plainCommand(acts.Steer.Act, "  bandscope steer espresso.jsonl --prior 'dirichlet(18,6)'\n"+
		"  bandscope steer espresso.jsonl --box extraction=18..20,bitterness=0..3\n"+
		"  bandscope steer espresso.jsonl --prefer 3:7 b")
}

func setCommand() *cobra.Command {
	return plainCommand(acts.Set.Act, "  bandscope set s.jsonl kernel=se\n  bandscope set espresso.jsonl -o ehvi --json\n"+
		"  bandscope set espresso.jsonl --narrow dose=16..18 --reason 'too bitter above'\n"+
		"  bandscope set espresso.jsonl --narrow dose=free\n  bandscope set espresso.jsonl --duration 36h\n"+
		"  bandscope set espresso.jsonl --objective body --direction maximize --range 0,5 -o mobo-rs-ts\n"+
		"  bandscope set espresso.jsonl --objective bitterness --range 0,8 --noise 0.2\n"+
		"  bandscope set espresso.jsonl --objective body --change drop\n"+
		"  bandscope set espresso.jsonl --objective temperature --at-most 96 --unit °C")
}

func noteCommand() *cobra.Command {
	return plainCommand(acts.Note.Act, "  bandscope note s.jsonl 'a new grinder'\n  bandscope note s.jsonl --step 3 --mark")
}

func whyCommand() *cobra.Command {
	return plainCommand(acts.Why.Act, "  bandscope why s.jsonl --influence --changes\n  bandscope why s.jsonl --step 7 --json\n"+
		"  bandscope why s.jsonl --compare gp-ucb --parameters beta_scale=4")
}

func checkCommand() *cobra.Command {
	c := plainCommand(acts.Check.Act, "  bandscope check s.jsonl --alternatives\n  bandscope check networks.jsonl --retrain --json")
	c.Long += "\n\nbandscope check method measures the bands of a method on test functions over seeds."
	c.AddCommand(checkMethodCommand())
	return c
}
