//go:build study

package worker

func init() { kills = 200 }
