//go:build study && unix

package headless_test

func init() { kills, epoch = 1000, 100 }
