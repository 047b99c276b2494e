//go:build study && unix

package cli_test

func init() { kills, epoch, liveActs = 1000, 100, 1000 }
