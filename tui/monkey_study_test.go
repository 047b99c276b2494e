//go:build study

package tui

func init() { acts, keyShare = 3000, 1 }
