package cli

import (
	"context"
	"errors"
	"io"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/mcp"
)

func mcpCommand() *cobra.Command {
	return &cobra.Command{Use: "mcp [FOLDER]",
		Short: "Serve the sessions of a folder to agents (MCP)",
		Long: "Serve the sessions of a folder to agents, by the Model Context Protocol on standard input and output. Agents\n" +
			"can perform every act of bandscope pipe, and read the guides and the glossary. They reach no other files, and\n" +
			"start no programs. The record says which client did what.",
		Example: "  bandscope mcp\n  bandscope mcp ~/experiments",
		Args:    args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, a []string) error {
			dir := "."
			if len(a) == 1 {
				dir = a[0]
			}
			return serveMCP(c.Context(), os.Stdin, os.Stdout, dir)
		}}
}

// serveMCP serves the sessions of a folder until the client leaves or the context ends.
func serveMCP(ctx context.Context, in io.ReadCloser, out io.WriteCloser, dir string) error {
	folder, err := acts.NewFolder(dir, sessions.Author{Kind: sessions.AuthorAgent, Via: sessions.ViaMCP}, nil)
	if err != nil {
		return err
	}
	err = mcp.New(folder).Run(ctx, mcp.NewTransport(in, out))
	if errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		err = nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return errors.Join(err, folder.Close())
}
