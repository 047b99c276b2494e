package cli_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/tui/cli"
)

// Errors about flags name the flag, what it takes and the value, without words of the parser.
func TestFlagErrors(t *testing.T) {
	for line, want := range map[string]string{
		"run --seed x":                `--seed must be a whole number of at least 0, got "x"`,
		"run --seed -1":               `--seed must be a whole number of at least 0, got "-1"`,
		"run -n 1.5":                  `-n (--steps) must be a whole number, got "1.5"`,
		"run -n 99999999999999999999": `-n (--steps) must be a whole number that is not too large, got "9999`,
		"run --noise some":            `--noise must be a number, got "some"`,
		"run --noise 1e999":           `--noise must be a number that is not too large, got "1e999"`,
		"run --timeout 3x":            `--timeout must be a duration, such as 90s or 2h, got "3x"`,
		"check method --at 8,nine":    `--at must be whole numbers separated by commas, got "8,nine"`,
		"--ascii=maybe":               `--ascii must be true or false, got "maybe"`,
		"run --seed":                  "--seed needs a value",
		"run -n":                      "-n (--steps) needs a value",
		"run --prior flat":            "--prior needs a problem and a method with several objectives",
		"--frobnicate":                "unknown flag: --frobnicate; bandscope open --help lists the flags",
		"run --frobnicate":            "unknown flag: --frobnicate; bandscope run --help lists the flags",
	} {
		_, errs, status := within(t, strings.Fields(line)...)
		if status != 2 || !strings.Contains(errs, want) || strings.Contains(errs, "strconv") {
			t.Errorf("%s: status %d, %q; want a mention of %q", line, status, errs, want)
		}
	}
}

// Every flag has plain words for a value that it cannot take.
func TestEveryFlagSaysWhatItTakes(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		words := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "bandscope"), " ")
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.HasPrefix(f.Value.Type(), "string") {
				return
			}
			_, errs, status := within(t, append(strings.Fields(words), "--"+f.Name+"=nonsense")...)
			if status != 2 || !strings.Contains(errs, "must be") || strings.Contains(errs, "strconv") ||
				strings.Contains(errs, "valid (") {
				t.Errorf("%s --%s: status %d, %q", c.CommandPath(), f.Name, status, errs)
			}
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(cli.Root())
}
