// Command bandscope shows what a black-box optimizer believes.
package main

import (
	"context"
	"fmt"
	"os"

	"bandscope/sessions"
	"bandscope/tui"
)

func main() {
	cfg := sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 7}
	if len(os.Args) > 1 {
		cfg.Optimizer = os.Args[1]
	}
	s, err := sessions.New(cfg)
	if err == nil {
		err = tui.Run(context.Background(), tui.Options{Session: s, Dir: sessions.DefaultDir(), Offer: true})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
