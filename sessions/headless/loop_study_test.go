//go:build study

package headless_test

func init() { kills = 1000 }
