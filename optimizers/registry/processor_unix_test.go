//go:build unix

package registry

import "syscall"

// processorTime is what this process has used, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
