//go:build study

package sessions

func init() { kills = 1000 }
