//go:build study

package tui

func init() { acts = 3000 }
