package eventlog

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// lockHolder names the process that has locked a file, from the list of locks of the kernel; it is empty if unknown.
func lockHolder(info os.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	return parseLockHolder(string(locks), stat.Ino, func(pid int) string {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			return ""
		}
		return string(bytes.TrimRight(bytes.ReplaceAll(line, []byte{0}, []byte{' '}), " "))
	})
}

// parseLockHolder finds the process that has locked the file with an inode in the list of the kernel, with lines such
// as "1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF". A process without a command has ended, or runs on another
// machine.
func parseLockHolder(locks string, inode uint64, command func(pid int) string) string {
	for line := range strings.Lines(locks) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" {
			continue
		}
		field := f[5][strings.LastIndex(f[5], ":")+1:]
		pid, err := strconv.Atoi(f[4])
		if n, errInode := strconv.ParseUint(field, 10, 64); err != nil || errInode != nil || n != inode {
			continue
		}
		if c := command(pid); c != "" {
			if r := []rune(c); len(r) > 60 {
				c = string(r[:59]) + "…"
			}
			return fmt.Sprintf("process %d: %s", pid, c)
		}
	}
	return ""
}
