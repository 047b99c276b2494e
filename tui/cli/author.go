package cli

import (
	"context"

	"github.com/spf13/cobra"

	"bandscope/sessions"
)

// authorKey is the key of the author in the context of a command.
type authorKey struct{}

// recordsAs gives a command that records the flag --as, and its context the author: of a kind, by a way.
func recordsAs(c *cobra.Command, kind, via string) *cobra.Command {
	var name string
	c.Flags().StringVar(&name, "as", "", "your name, which is recorded with each change; the default is the name of the system's user")
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, a []string) error {
		person := sessions.NewPerson(name, via)
		person.Kind = kind
		c.SetContext(context.WithValue(c.Context(), authorKey{}, person))
		if before == nil {
			return nil
		}
		return before(c, a)
	}
	return c
}

// authorFrom is the author in the context of a command; the unknown one if there is none.
func authorFrom(ctx context.Context) sessions.Author {
	value, _ := ctx.Value(authorKey{}).(sessions.Author)
	return value
}

// screenAuthor is the author in the context of a command that opens the screen.
func screenAuthor(ctx context.Context) sessions.Author {
	amount := authorFrom(ctx)
	if amount.Known() {
		amount.Via = sessions.ViaExplorer
	}
	return amount
}
