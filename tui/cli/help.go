package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// group is a heading of the program's help, with its commands in their order.
type group struct {
	title    string
	commands []*cobra.Command
}

func groups() []group {
	return []group{
		{"Start here", []*cobra.Command{openCommand(), runCommand(), whyCommand(), compareCommand(), lessonCommand(),
			playCommand()}},
		{"Your own experiment", []*cobra.Command{newCommand(), askCommand(), tellCommand(), correctCommand(),
			steerCommand(), setCommand()}},
		{"A session", []*cobra.Command{showCommand(), branchCommand(), checkCommand(), predictCommand(),
			replayCommand(), exportCommand()}},
		{"At a larger scale", extensionCommands(func(e addition) []func() *cobra.Command { return e.grouped })},
		{"Help", []*cobra.Command{guideCommand(), explainCommand(), listCommand(), versionCommand()}},
	}
}

// lessUsual are the commands that the program's help only names.
func lessUsual() []*cobra.Command {
	core := []*cobra.Command{addCommand(), discardCommand(), noteCommand(), evalCommand(), galleryCommand(),
		scriptCommand(), manCommand()}
	return append(core, extensionCommands(func(e addition) []func() *cobra.Command { return e.further })...)
}

// rootHelp is the template of the program's own help, which leaves flags to the commands.
const rootHelp = `{{.Short}}
Usage: bandscope [FILE] or bandscope COMMAND; COMMAND --help shows its flags
{{$commands := .Commands}}{{range $group := .Groups}}
{{.Title}}{{range $commands}}{{if eq .GroupID $group.ID}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{lessUsual .}}`

func init() {
	cobra.EnableCommandSorting = false
	cobra.AddTemplateFunc("lessUsual", func(root *cobra.Command) string {
		var names []string
		for _, c := range root.Commands() {
			if c.GroupID == "" && c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		return wrapText("", "Also: "+strings.Join(names, ", "))
	})
}

// addCommands gives a program its commands.
func addCommands(root *cobra.Command) {
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(lessUsual()...)
}
