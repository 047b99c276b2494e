package registry

import "golang.org/x/sys/windows"

// processorTime is what this process has used, in seconds.
func processorTime() float64 {
	var begun, ended, kernel, user windows.Filetime
	_ = windows.GetProcessTimes(windows.CurrentProcess(), &begun, &ended, &kernel, &user)
	ticks := func(t windows.Filetime) float64 { return float64(uint64(t.HighDateTime)<<32 | uint64(t.LowDateTime)) } // of 100 ns
	return (ticks(kernel) + ticks(user)) / 1e7
}
