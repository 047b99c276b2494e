//go:build !linux

package eventlog

import "os"

// lockHolder is empty: this system does not name the process that has locked a file.
func lockHolder(os.FileInfo) string { return "" }
