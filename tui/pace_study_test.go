//go:build study && linux && !race

package tui

func init() { limit = frameTime }
