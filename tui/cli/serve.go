package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"charm.land/ssh"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/serve"
	"bandscope/tui/serve/gate"
	"bandscope/tui/serve/web"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	serve.Options
	Address string
	Web     string // address of HTTP; empty for none
	Cert    web.Certificate
	Proxy   bool
	Hosts   []string
	Disk    int // megabytes
}

// endPatience is how long the end of the server waits for terminals and sessions.
const endPatience = 5 * time.Second

func serveCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{Use: "serve", Short: "Serve the explorer to a class, over SSH and in browsers",
		Long: "Serve the explorer to a class over SSH and, with --web, in browsers. Everybody joins by ssh -p 2222 NAME@HOST with the join code, which is\n" +
			"printed, or with a key of --keys. Each has sessions in a folder of their own. In a room, people follow the\n" +
			"screen of the teacher, who joins with the teacher's code. There is no shell and no forwarding; files outside\n" +
			"of the folders cannot be reached, and no programs start.\n\n" +
			"By default only this machine can connect: --address :2222 opens the server to the network.",
		Example: "  bandscope serve\n  bandscope serve --room bayes --address :2222\n  ssh -p 2222 ada@localhost\n" +
			"  ssh -t -p 2222 projector@localhost watch\n" +
			"  bandscope serve --room bayes --web :8443 --cert class.pem --key class.key",
		Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return o.run(c.Context(), os.Stdout, os.Stderr)
		}}
	f := c.Flags()
	f.StringVar(&o.Address, "address", "127.0.0.1:2222", "address on which SSH is served, as HOST:PORT")
	f.StringVar(&o.Web, "web", "", "address on which browsers are served, as HOST:PORT")
	f.StringVar(&o.Cert.CertFile, "cert", "", "certificate of --web (PEM); without one, anybody in the network can read along")
	f.StringVar(&o.Cert.KeyFile, "key", "", "key of the certificate (PEM)")
	f.BoolVar(&o.Proxy, "proxy", false, "a proxy is before --web, and says where browsers are")
	f.StringSliceVar(&o.Hosts, "host", nil, "names of this machine in browsers, beside those it knows")
	f.StringVar(&o.Dir, "folder", defaultClassDir(), "folder of the people, their sessions and the host key")
	f.StringVar(&o.Room, "room", "", "room that everybody enters; without it a teacher can open one")
	f.StringVar(&o.Keys, "keys", "", "file of public keys, as in authorized_keys, whose owners need no join code")
	f.IntVar(&o.People, "people", 60, "terminals at once")
	f.DurationVar(&o.Idle, "idle", 30*time.Minute, "time without a key, after which a person is let go")
	f.DurationVar(&o.Stay, "stay", 12*time.Hour, "time after which a person is let go in any case")
	f.IntVar(&o.Disk, "disk", 100, "megabytes of a person's folder")
	f.DurationVar(&o.Computing, "computing", 2*time.Hour, "time of a person's computations, in total")
	c.MarkFlagDirname("folder")
	c.MarkFlagFilename("keys")
	c.MarkFlagFilename("cert", "pem")
	c.MarkFlagFilename("key", "pem", "key")
	c.MarkFlagsRequiredTogether("cert", "key")
	return c
}

// defaultClassDir is the folder of classes beside that of sessions; empty without a home folder.
func defaultClassDir() string {
	dir := library.DefaultDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(dir), "class")
}

// run serves until the context ends.
func (o serveOptions) run(ctx context.Context, out, errs io.Writer) error {
	if o.Options.Dir == "" {
		return usagef("HOME is not set; --folder says where the class is kept")
	}
	if o.People < 1 || o.Disk < 1 || o.Idle <= 0 || o.Stay <= 0 || o.Computing <= 0 {
		return usagef("--people, --disk, --idle, --stay and --computing must be positive")
	}
	o.Options.Disk = int64(o.Disk) << 20
	o.Log = slog.New(slog.NewTextHandler(errs, nil))
	server, err := serve.New(ctx, o.Options)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return asUsage(err)
	}
	over, err := server.SSH()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var browsers net.Listener
	if o.Web != "" {
		browsers, err = net.Listen("tcp", o.Web)
		if err != nil {
			return errors.Join(asUsage(err), listener.Close())
		}
	}
	o.announce(out, server, listener.Addr(), browsers)
	deferExit(ctx) // the sessions are closed, and the terminals put back in order
	serving, stop := errgroup.WithContext(ctx)
	serving.Go(func() error { return ended(over.Serve(gate.New(listener))) })
	inside, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	if browsers != nil {
		serving.Go(func() error { return server.Web(o.Proxy, o.Hosts).Serve(inside, browsers, o.Cert) })
	}
	<-stop.Done()
	patience, cancel := context.WithTimeout(inside, endPatience)
	defer cancel()
	err = errors.Join(server.End(patience), over.Close())
	end()
	err = errors.Join(err, serving.Wait())
	if err != nil && ctx.Err() != nil {
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(err.Error()))
		err = nil
	}
	return cmp.Or(err, context.Cause(ctx))
}

// ended drops the errors of a server that was closed.
func ended(err error) error {
	if errors.Is(err, ssh.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// announce prints how to join, and who can.
func (o serveOptions) announce(out io.Writer, s *serve.Server, addr net.Addr, browsers net.Listener) {
	join, teacher := s.Codes()
	host, port, _ := net.SplitHostPort(addr.String())
	local := serve.Loopback(addr.String())
	addresses := []string{fmt.Sprintf("ssh -p %s NAME@%s", port, hostToType(host))}
	if browsers != nil {
		scheme := "http"
		if o.Cert.CertFile != "" {
			scheme = "https"
		}
		host, port, _ := net.SplitHostPort(browsers.Addr().String())
		place := scheme + "://" + net.JoinHostPort(hostToType(host), port)
		fmt.Fprintf(out, "in a browser:   %s#code=%s\n", place, join)
		addresses = append(addresses, place)
		local = local && serve.Loopback(browsers.Addr().String())
	}
	s.Announce(addresses...)
	fmt.Fprintf(out, "join:           ssh -p %s NAME@%s\njoin code:      %s\nteacher's code: %s\nfolder:         %s\n", port,
		hostToType(host), join, teacher, sanitize.Text(o.Options.Dir))
	if local {
		fmt.Fprintln(out, "exposed to:     this machine only; --address :2222 opens it to the network")
	} else {
		fmt.Fprintln(out, "exposed to:     everybody who reaches this address and has a code or a key of --keys")
	}
}

// hostToType is the host of an address as people type it; that of all addresses is the name of the machine.
func hostToType(host string) string {
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			return name
		}
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return "localhost"
	}
	return host
}
