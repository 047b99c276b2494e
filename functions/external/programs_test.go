//go:build unix

package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"bandscope/functions"
)

type asked struct {
	ID         int64              `json:"id"`
	Experiment string             `json:"experiment"`
	Point      int                `json:"point"`
	X          map[string]float64 `json:"x"`
}

func (a asked) value() float64 {
	p, _ := functions.Find("branin", 1)
	y, _ := p.TrueValues([]float64{a.X["x1"], a.X["x2"]})
	return y[0]
}

func one() (a asked) {
	if err := json.NewDecoder(os.Stdin).Decode(&a); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	return a
}

// hold tells the test by a named pipe that the process is there, and keeps it open until the process ends.
func hold(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		os.Exit(8)
	}
	fmt.Fprintln(f, os.Getpid())
}

func child(words ...string) {
	cmd := exec.Command(os.Args[0], append([]string{"program"}, words...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if cmd.Start() != nil {
		os.Exit(7)
	}
}

// endless prints a text again and again.
func endless(text string) int {
	for b := []byte(strings.Repeat(text, 1<<15)); ; {
		if _, err := os.Stdout.Write(b); err != nil {
			return 0
		}
	}
}

// forever does nothing, until the process is ended.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

var programs = map[string]func(args []string) int{
	"object": func([]string) int {
		fmt.Printf(`{"branin": %s, "cost": 2}`, strconv.FormatFloat(one().value(), 'g', -1, 64))
		return 0
	},
	"environment": func([]string) int {
		a := asked{X: map[string]float64{}}
		for _, name := range []string{"x1", "x2"} {
			a.X[name], _ = strconv.ParseFloat(os.Getenv("BANDSCOPE_X_"+name), 64)
		}
		fmt.Fprintln(os.Stderr, os.Getenv("BANDSCOPE_EXPERIMENT"), os.Getenv("BANDSCOPE_POINT"),
			os.Getenv("BANDSCOPE_STEP"))
		fmt.Println(strconv.FormatFloat(a.value(), 'g', -1, 64))
		return 0
	},
	"print": func(args []string) int { fmt.Print(strings.Join(args, " ")); return 0 },
	"crash": func(args []string) int {
		fmt.Print(strings.Join(args, " "))
		fmt.Fprint(os.Stderr, "warming up\r\nthe pump \x1b[31mis broken\n\n")
		return 3
	},
	"panic": func([]string) int { panic("boom") },
	"signal": func([]string) int {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		forever()
		return 0
	},
	"line":   func([]string) int { return endless("7") },
	"lines":  func([]string) int { return endless("7\n") },
	"binary": func([]string) int { os.Stdout.Write([]byte{0xff, 0xfe, 0, 1}); return 0 },
	"chatter": func(args []string) int { // on the standard error, a line without an end and many others
		fmt.Fprint(os.Stderr, strings.Repeat("x", 1<<20))
		for i := range 100 {
			fmt.Fprintf(os.Stderr, "\nline %d", i)
		}
		fmt.Println(1)
		return 3 * len(args)
	},
	"hang": func(args []string) int { // with a child, and against every signal but the last
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		if len(args) > 1 {
			child("hang", args[0])
		}
		hold(args[0])
		forever()
		return 0
	},
	"fork": func(args []string) int { // answers and goes; what it started holds the pipes
		child("hang", args[0])
		fmt.Println(one().value())
		return 0
	},
	"host": func(args []string) int { // has a program that hangs evaluate a point, until it is killed
		p, err := functions.Find("branin", 1)
		if err != nil {
			return 9
		}
		evaluator, err := New(p, Options{Command: command("hang", args[1], "with a child"), KeepAlive: args[0] == "kept"})
		if err != nil {
			return 8
		}
		evaluator.Evaluate(context.Background(), somewhere)
		return 7
	},
	"both": func([]string) int { // the values of two objectives
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			var a asked
			if json.Unmarshal(in.Bytes(), &a) != nil {
				return 9
			}
			fmt.Printf("{\"id\": %d, \"branin\": 1, \"price\": 2}\n", a.ID)
		}
		return 0
	},
	"tired": func(args []string) int { // answers one request and ends, as late as it can
		in := bufio.NewReader(os.Stdin)
		var a asked
		line, _ := in.ReadBytes('\n')
		if json.Unmarshal(line, &a) != nil {
			return 9
		}
		fmt.Printf("{\"id\": %d, \"branin\": %d}\n", a.ID, a.Point)
		if len(args) > 0 { // the next request is there, and is not read
			for poll := []unix.PollFd{{Fd: 0, Events: unix.POLLIN}}; ; {
				if n, err := unix.Poll(poll, -1); n > 0 || err != unix.EINTR {
					break
				}
			}
		}
		return 0
	},
	"moody": func([]string) int { // a process evaluates one point, and none of an odd number
		in := bufio.NewReader(os.Stdin)
		var a asked
		line, _ := in.ReadBytes('\n')
		if json.Unmarshal(line, &a) != nil || a.Point%2 == 1 {
			return 4
		}
		fmt.Printf("\n \n{\"id\": %d, \"branin\": %d}\n\n", a.ID, a.Point) // blank lines are no answers
		return 0
	},
	"talk": func(args []string) int { // answers each line with its number; the second argument says from which on it fails
		in := bufio.NewScanner(os.Stdin)
		in.Buffer(nil, MaxDialogueLine)
		from := 1
		if len(args) > 1 {
			from, _ = strconv.Atoi(args[1])
		}
		for n := 1; in.Scan(); n++ {
			if n >= from {
				switch args[0] {
				case "dies":
					fmt.Fprintln(os.Stderr, "out of \x1b[31mbeans")
					return 4
				case "closes":
					os.Stdout.Close()
					forever()
				case "mute":
					forever()
				case "line":
					return endless("7")
				case "lines":
					return endless("7\n")
				case "hang":
					signal.Ignore(syscall.SIGTERM)
					child("hang", args[2])
					hold(args[2])
					forever()
				case "chats":
					fmt.Println("loading the model")
				}
			}
			fmt.Printf("%d %s\n", n, in.Text())
		}
		return 0
	},
	"talkhost": func(args []string) int { // talks to a program that hangs, until it is killed
		Allow(command("talk", "hang", "2", args[0]), 0)
		(&Host{}).Exchange(context.Background(), command("talk", "hang", "2", args[0]), []byte("hello"), []byte("go"))
		return 7
	},
	"serve": func(args []string) int {
		// what the first argument says is the matter with the evaluation of the point that the second one tells
		in := bufio.NewScanner(os.Stdin)
		var first *asked
		for in.Scan() {
			var a asked
			if json.Unmarshal(in.Bytes(), &a) != nil {
				return 9
			}
			answer := func(a asked) {
				fmt.Printf("{\"id\": %d, \"branin\": %s}\n", a.ID, strconv.FormatFloat(a.value(), 'g', -1, 64))
			}
			if len(args) == 2 && args[1] == strconv.Itoa(a.Point) || len(args) == 1 && args[0] != "pairs" {
				switch args[0] {
				case "dies":
					fmt.Fprintln(os.Stderr, "out of beans")
					return 4
				case "leaves":
					return 0
				case "garbage":
					fmt.Println("loading the model")
					continue
				case "stranger":
					fmt.Printf("{\"id\": %d, \"branin\": 1}\n", a.ID+100)
					continue
				case "nameless":
					fmt.Println(`{"branin": 1}`)
					continue
				case "text":
					fmt.Printf("{\"id\": %d, \"branin\": \"high\"}\n", a.ID)
					continue
				case "line":
					return endless("7")
				case "deaf":
					forever()
				}
			}
			if len(args) > 0 && args[0] == "pairs" { // answers two at once, the last first
				if first == nil {
					first = &a
					continue
				}
				answer(a)
				answer(*first)
				first = nil
				continue
			}
			answer(a)
		}
		return 0
	},
}
