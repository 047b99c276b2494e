package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/acts"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{Use: "schema [ACT]", Short: "Print the JSON Schema of requests and answers",
		Long: "Print the JSON Schema (2020-12) of the requests that bandscope pipe reads and of its answers: of all acts, or\n" +
			"of one.",
		Example: "  bandscope schema > bandscope.schema.json\n  bandscope schema steer",
		Args:    args(cobra.MaximumNArgs(1)), ValidArgsFunction: completeArgs(actWords(acts.All()...)),
		RunE: func(c *cobra.Command, a []string) error {
			var s any = acts.Schema()
			if len(a) == 1 {
				act, err := acts.Find(a[0])
				if err != nil {
					return actError(err)
				}
				s = act.Schema()
			}
			e := json.NewEncoder(os.Stdout)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(s)
		}}
}

// actWords are acts, as words that a shell offers.
func actWords(list ...*acts.Act) completer {
	words := make([]string, len(list))
	for i, a := range list {
		words[i] = candidate(a.Name, a.Title)
	}
	return choices(words...)
}

// actList lists acts for a help text.
func actList(list ...*acts.Act) (text string) {
	for _, a := range list {
		text += fmt.Sprintf("  %-8s %s\n", a.Name, a.Title)
	}
	return text
}

// findAct is the act of a list with a name.
func findAct(list []*acts.Act, name string) (*acts.Act, error) {
	var names []string
	for _, a := range list {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return nil, asUsage(didyoumean.NewUnknownError("word", name, names))
}
