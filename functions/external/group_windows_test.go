package external

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// TestMain is the programs of these tests as well: parent prints the number of a process that it starts and waits for it,
// host starts a parent in a group and waits, and child waits for ever. None of them ends when it is asked to.
func TestMain(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != "program" {
		os.Exit(m.Run())
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked)
	forever := func() {
		for range asked {
		}
	}
	switch os.Args[2] {
	case "parent":
		child := exec.Command(os.Args[0], "program", "child")
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
		_ = child.Wait()
	case "host":
		pr, err := startProcess(exec.Command(os.Args[0], "program", "parent"), true, func(string) {})
		if err != nil {
			panic(err)
		}
		pr.read(func(stdout *os.File) {
			_, _ = bufio.NewReader(stdout).WriteTo(os.Stdout)
		})
		forever()
	case "child":
		forever()
	}
}

// childOf opens the process whose number a program prints first.
func childOf(t *testing.T, stdout *bufio.Reader) windows.Handle {
	line, err := stdout.ReadString('\n')
	pid, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil {
		t.Fatalf("%q, %v", line, err)
	}
	child, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		t.Fatal(err)
	}
	return child
}

// ends waits for the end of a process.
func ends(t *testing.T, child windows.Handle) {
	defer windows.CloseHandle(child)
	if event, err := windows.WaitForSingleObject(child, 20_000); event != windows.WAIT_OBJECT_0 {
		t.Errorf("the child goes on: %v, %v", event, err)
	}
}

// A program is ended with what it started.
func TestEndOfAGroup(t *testing.T) {
	pr, err := startProcess(exec.Command(os.Args[0], "program", "parent"), true, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan windows.Handle)
	pr.read(func(stdout *os.File) {
		in := bufio.NewReader(stdout)
		begun <- childOf(t, in)
		_, _ = in.WriteTo(os.Stderr)
	})
	child := <-begun
	if !pr.group.alive() {
		t.Error("the group is not alive")
	}
	pr.end()
	ends(t, child)
}

// It is ended where this process is killed, too.
func TestKilledHost(t *testing.T) {
	host := exec.Command(os.Args[0], "program", "host")
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	child := childOf(t, bufio.NewReader(out))
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ends(t, child)
	_ = host.Wait()
}

// A shell gets its command as it is, with its quotes.
func TestShell(t *testing.T) {
	words, err := commandWords(Options{Command: `echo "a b" & echo c`, Shell: true})
	if err != nil {
		t.Fatal(err)
	}
	pr, err := startProcess(exec.Command(words[0], words[1:]...), false, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	text := make(chan string, 1)
	pr.read(func(stdout *os.File) {
		b, _ := readBounded(stdout)
		text <- string(b)
	})
	<-pr.over
	if got := strings.Fields(<-text); strings.Join(got, " ") != `"a b" c` || pr.status() != "" {
		t.Errorf("%q, %s", got, pr.status())
	}
}
