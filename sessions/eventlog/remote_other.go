//go:build !linux

package eventlog

// isRemoteDir is false: it does not know the file systems of this system. A look every few seconds finds changes without a
// notification.
func isRemoteDir(string) bool { return false }
