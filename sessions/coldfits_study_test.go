//go:build study

package sessions

func init() { coldSessions = 200 }
