// Package display runs a program in a real terminal in tests: on an X server that draws into a file. It types keys and
// reads the pixels.
package display

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Patience is how long a terminal may need for anything; tests do not depend on it.
const Patience = time.Minute

// Terminal is a terminal that shows pictures.
type Terminal struct {
	Name     string
	variable string // of the environment, which names the program
	command  func(cols, rows int) []string
}

// The terminals, each in the upper left corner of the display. Those of kitty are images, those of xterm sixels.
var (
	Kitty = Terminal{"kitty", "BANDSCOPE_KITTY", func(cols, rows int) []string {
		return []string{"--config", "NONE", "-o", "remember_window_size=no", "-o", fmt.Sprintf("initial_window_width=%dc", cols),
			"-o", fmt.Sprintf("initial_window_height=%dc", rows), "-o", "font_family=DejaVu Sans Mono", "-o", "font_size=11",
			"-o", "enable_audio_bell=no", "-o", "cursor_blink_interval=0", "-o", "confirm_os_window_close=0",
			"-o", "update_check_interval=0", "-o", "shell_integration=disabled", "-o", "placement_strategy=top-left"}
	}}
	XTerm = Terminal{"xterm", "BANDSCOPE_XTERM", func(cols, rows int) []string {
		return []string{"-ti", "vt340", "-tn", "xterm-256color", "-geometry", fmt.Sprintf("%dx%d+0+0", cols, rows), "-fa", "DejaVu Sans Mono", "-fs", "11",
			"-b", "0", "-bw", "0", "+sb", "-bg", "black", "-fg", "gray90", "-e"}
	}}
)

// Terminals are all terminals.
var Terminals = []Terminal{Kitty, XTerm}

// The size of the display, in pixels.
const width, height = 2000, 1300

// Display is a display with a terminal in which a program runs.
type Display struct {
	t         *testing.T
	name      string // of the display
	folder    string
	processes []*exec.Cmd
}

// Require is the program of the terminal. The test is skipped without the programs that .ci/pictures installs.
func (terminal Terminal) Require(t *testing.T) string {
	t.Helper()
	program := os.Getenv(terminal.variable)
	if program == "" {
		t.Skipf("%s names no %s: run .ci/pictures go test", terminal.variable, terminal.Name)
	}
	return program
}

// Start runs a program in a terminal of a size in cells, until the end of the test, which Require may skip.
func Start(t *testing.T, terminal Terminal, cols, rows int, command ...string) *Display {
	t.Helper()
	program := terminal.Require(t)
	d := &Display{t: t, folder: t.TempDir()}
	t.Cleanup(d.Close)
	d.serve()
	c := exec.Command(program, append(terminal.command(cols, rows), command...)...)
	// Mesa's llvmpipe draws no backgrounds of cells while kitty shows pictures behind them; its softpipe does.
	c.Env = append(os.Environ(), "DISPLAY="+d.name, "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=softpipe", "LC_ALL=C.UTF-8",
		"XDG_RUNTIME_DIR="+d.folder)
	d.start(c)
	return d
}

// serve starts the X server, which writes the number of its display when it is ready.
func (d *Display) serve() {
	d.t.Helper()
	numbers, out, err := os.Pipe()
	require.NoError(d.t, err)
	defer numbers.Close()
	c := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-fbdir", d.folder,
		"-nolisten", "tcp")
	c.ExtraFiles = []*os.File{out}
	d.start(c)
	require.NoError(d.t, out.Close())
	require.NoError(d.t, numbers.SetReadDeadline(time.Now().Add(Patience)))
	number, err := bufio.NewReader(numbers).ReadString('\n')
	require.NoError(d.t, err)
	d.name = ":" + strings.TrimSpace(number)
}

// start starts a process, whose errors are those of the test.
func (d *Display) start(c *exec.Cmd) {
	d.t.Helper()
	log, err := os.Create(filepath.Join(d.folder, filepath.Base(c.Path)+".log"))
	require.NoError(d.t, err)
	defer log.Close()
	c.Stdout, c.Stderr = log, log
	require.NoError(d.t, c.Start())
	d.processes = append(d.processes, c)
}

// Close ends the terminal, with the program in it, and the display.
func (d *Display) Close() {
	for _, c := range slices.Backward(d.processes) {
		_ = c.Process.Signal(os.Interrupt) // the X server removes its lock
		kill := time.AfterFunc(Patience, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		kill.Stop()
	}
	d.processes = nil
}

// Screenshot is what the display shows.
func (d *Display) Screenshot() *image.RGBA {
	d.t.Helper()
	dump, err := os.ReadFile(filepath.Join(d.folder, "Xvfb_screen0"))
	require.NoError(d.t, err)
	m, err := decode(dump)
	require.NoError(d.t, err)
	return m
}

// The numbers of the head of a dump, of 32 bits: its size in bytes, and those that say how pixels are stored.
const (
	headSize     = iota
	bytesPerLine = 12
	colorEntries = 19
	headNumbers  = 25
)

// decode decodes a dump of an X server (XWD, version 7) whose pixels have 32 bits: blue, green, red, and nothing.
func decode(dump []byte) (*image.RGBA, error) {
	var head [headNumbers]uint32
	if _, err := binary.Decode(dump, binary.BigEndian, head[:]); err != nil {
		return nil, err
	}
	const colorSize = 12
	pixels := int(head[headSize] + head[colorEntries]*colorSize)
	stride := int(head[bytesPerLine])
	if len(dump) < pixels+stride*height || stride < 4*width {
		return nil, fmt.Errorf("a dump of %d bytes is no display of %d×%d", len(dump), width, height)
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		line := dump[pixels+y*stride:]
		for x := range width {
			p := m.Pix[m.PixOffset(x, y):][:4:4]
			p[0], p[1] = line[4*x+2], line[4*x+1]
			p[2], p[3] = line[4*x], 255
		}
	}
	return m, nil
}

// Wait waits until a screenshot meets a condition, and returns it.
func (d *Display) Wait(name string, condition func(m *image.RGBA) bool) *image.RGBA {
	d.t.Helper()
	for begun := time.Now(); time.Since(begun) < Patience; time.Sleep(20 * time.Millisecond) {
		m := d.Screenshot()
		if condition(m) {
			return m
		}
	}
	d.Picture("failed")
	logs, _ := filepath.Glob(filepath.Join(d.folder, "*.log"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		d.t.Logf("%s: %s", filepath.Base(log), text)
	}
	d.t.Fatalf("the terminal never shows %s", name)
	return nil
}

// Type presses keys, by their names in X: space, ctrl+v, Return.
func (d *Display) Type(keys ...string) {
	d.t.Helper()
	c := exec.Command("xdotool", append([]string{"mousemove", "40", "40", "key", "--delay", "20"}, keys...)...)
	c.Env = append(os.Environ(), "DISPLAY="+d.name)
	out, err := c.CombinedOutput()
	require.NoError(d.t, err, "%s", out)
}

// Picture saves a screenshot in the folder that BANDSCOPE_PICTURES names, if it does.
func (d *Display) Picture(name string) {
	d.t.Helper()
	folder := os.Getenv("BANDSCOPE_PICTURES")
	if folder == "" {
		return
	}
	f, err := os.Create(filepath.Join(folder, strings.ReplaceAll(d.t.Name(), "/", "-")+"-"+name+".png"))
	require.NoError(d.t, err)
	defer f.Close()
	require.NoError(d.t, png.Encode(f, d.Screenshot()))
}
