package external

import (
	"slices"
	"testing"

	"github.com/mattn/go-shellwords"

	"bandscope/functions"
)

// On Windows a backslash is one of a path, except before a quote; and a canonical command has the same words.
func TestLiteralBackslashes(t *testing.T) {
	for command, want := range map[string][]string{
		`C:\tools\new.exe -n 3`:            {`C:\tools\new.exe`, "-n", "3"},
		`"C:\Program Files\a.exe" C:\t\n`:  {`C:\Program Files\a.exe`, `C:\t\n`},
		`'C:\Program Files\a.exe' 'C:\b\'`: {`C:\Program Files\a.exe`, `C:\b\`},
		`py -c "print(\"it's\")"`:          {"py", "-c", `print("it's")`},
		`py -c 'say '\''hi'\'''`:           {"py", "-c", "say 'hi'"},
		`\\host\share\a "\'b"`:             {`\\host\share\a`, `\'b`},
	} {
		got, err := shellwords.NewParser().Parse(literalBackslashes(command))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", command, got, err)
		}
		canonical := ""
		for _, w := range want {
			canonical += functions.ShellWord(w) + " "
		}
		if got, err := shellwords.NewParser().Parse(literalBackslashes(canonical)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", canonical, got, err)
		}
	}
}
