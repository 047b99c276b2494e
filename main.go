// Command bandscope shows what a black-box optimizer believes. A signal ends the context of a command, and the error of
// a command becomes the exit status. Package tui/cli has the commands.
package main

import (
	"os"

	"bandscope/tui/cli"
)

func main() {
	ctx := cli.Interruptible()
	os.Exit(cli.Status(ctx, os.Stderr, cli.Root().ExecuteContext(ctx)))
}
