//go:build study && unix

package cli_test

func init() { kills, epoch = 1000, 100 }
