package cli

import (
	"github.com/spf13/cobra"

	"bandscope/tui/extension"
	"bandscope/tui/labs"
	"bandscope/tui/studypage"
)

// addition is a part of the program that its core does not import.
type addition struct {
	grouped []func() *cobra.Command // commands in the help of the program
	further []func() *cobra.Command // commands that the help only names
	screens []extension.Extension
}

// extensions are all of them, a line each.
func extensions() []addition {
	type commands = []func() *cobra.Command
	type screens = []extension.Extension
	return []addition{
		{commands{studyCommand}, commands{workCommand}, screens{studypage.Extension}},
		{commands{serveCommand}, nil, nil},
		{commands{mcpCommand}, nil, nil},
		{commands{pipeCommand}, commands{schemaCommand}, nil},
		{nil, commands{labCommand}, screens{labs.Extension}},
		{nil, commands{importCommand}, nil},
	}
}

// extensionCommands makes some commands of each extension.
func extensionCommands(some func(addition) []func() *cobra.Command) (list []*cobra.Command) {
	for _, e := range extensions() {
		for _, command := range some(e) {
			list = append(list, command())
		}
	}
	return list
}

// useScreens gives the window the screens of the extensions.
func useScreens() {
	var list []extension.Extension
	for _, e := range extensions() {
		list = append(list, e.screens...)
	}
	extension.Use(list)
}
