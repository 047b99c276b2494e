//go:build study

package engine

func init() { kills = 200 }
