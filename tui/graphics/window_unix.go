//go:build unix

package graphics

import (
	"image"

	"golang.org/x/sys/unix"
)

// WindowPixels is the size in pixels of the terminal of a file, as the system knows it; zero if it is unknown.
func WindowPixels(fd uintptr) image.Point {
	size, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil {
		return image.Point{}
	}
	return image.Pt(int(size.Xpixel), int(size.Ypixel))
}
