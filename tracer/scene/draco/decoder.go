package draco

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"glint/tracer/guard"
)

// childName is how a child is called: by it, IsChild tells that the program is one.
const childName = "glint: Draco decoder"

const (
	childSeconds = 18                         // of processor time that a child may take
	childWait    = childSeconds * time.Second // that an answer may take: a child that was stopped uses no time
	// A child that has worked for so long takes no more requests: the next has the time for itself.
	childAge = childSeconds / 2 * time.Second
)

// Decoder decodes meshes one after the other, in a child that it starts when it needs one. It is not safe for concurrent use:
// as many decode at a time as there are Decoders.
type Decoder struct {
	memory  int64         // bytes that a child may take
	seconds int           // of processor time
	wait    time.Duration // for an answer
	extra   []string      // arguments that tests give to their children
	child   *child
}

// child is a process that decodes.
type child struct {
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
	life    *os.File // closed when the parent closes it, or ends in whatever way
	worked  time.Duration
}

// NewDecoder makes a decoder whose child may take so much memory, in bytes, beside what the program itself needs.
func NewDecoder(memory int64) *Decoder {
	return &Decoder{memory: memory, seconds: childSeconds, wait: childWait}
}

// Close ends the child.
func (d *Decoder) Close() {
	if c := d.child; c != nil {
		d.child = nil
		c.end()
	}
}

// end ends a process; of one that has ended it keeps the reason of that.
func (c *child) end() {
	_, _ = c.input.Close(), c.life.Close()
	_ = c.command.Process.Kill()
	_ = c.command.Wait()
}

// Decode decodes one mesh. It ends early when ctx does. The caller has counted r.Bytes().
func (d *Decoder) Decode(ctx context.Context, r Request) (Mesh, error) {
	if err := r.Check(); err != nil {
		return Mesh{}, err
	}
	if !Available {
		return Mesh{}, errors.New("this build of glint has no Draco decoder: decompress the file")
	}
	if d.child == nil {
		if err := d.start(); err != nil {
			return Mesh{}, fmt.Errorf("the Draco decoder cannot be started: %w", err)
		}
	}
	c := d.child
	begun := time.Now()
	wanted, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	stop := context.AfterFunc(wanted, func() { _ = c.command.Process.Kill() })
	sent := make(chan error, 1)
	guard.Go(func() error { return r.write(c.input) }, func(err error) { sent <- err })
	mesh, err := r.readAnswer(c.output)
	_, refused := errors.AsType[refusal](err)
	sound := err == nil || refused
	if !sound {
		_ = c.input.Close() // which ends the writing
	}
	writing := <-sent
	stop()
	c.worked += time.Since(begun)
	if sound && writing == nil && wanted.Err() == nil {
		if c.worked > childAge {
			d.Close()
		}
		return mesh, err
	}
	return Mesh{}, d.ended(ctx, errors.Join(err, writing))
}

// ended says why a child is of no use any more, and sees to its end.
func (d *Decoder) ended(ctx context.Context, err error) error {
	c := d.child
	d.child = nil
	c.end() // it may have closed its output and live on
	state := c.command.ProcessState
	// The kernel counts towards the limit by ticks, and reports what it has measured.
	busy := state.UserTime()+state.SystemTime() >= time.Duration(d.seconds)*time.Second/2
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errAnswer):
		return err
	case c.worked >= d.wait || busy && strings.Contains(state.String(), "killed"):
		return errors.New("the Draco decoder took too long")
	default:
		return fmt.Errorf("the Draco decoder broke down (%s)%s", state, tighterLimits(d.memory, uint64(d.seconds)))
	}
}

// start starts a child.
func (d *Decoder) start() error {
	if IsChild() { // a program that forgot to ask
		return errors.New("this process is one")
	}
	program, err := ownProgram()
	if err != nil {
		return err
	}
	command := &exec.Cmd{
		Path: program, Dir: "/",
		Args: append([]string{childName, strconv.FormatInt(d.memory, 10), strconv.Itoa(d.seconds)}, d.extra...),
		Env:  childEnvironment(os.Environ()), SysProcAttr: ownGroup(),
	}
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	watched, life, err := os.Pipe()
	if err != nil {
		return err
	}
	command.ExtraFiles = []*os.File{watched}
	err = command.Start()
	_ = watched.Close() // the child has its own
	if err != nil {
		return errors.Join(err, life.Close())
	}
	d.child = &child{command: command, input: input, output: bufio.NewReaderSize(output, 1<<16), life: life}
	return nil
}

// childEnvironment is what the loader of shared libraries looks at, and nothing else.
func childEnvironment(all []string) []string {
	out := []string{"GOMAXPROCS=1", "GOTRACEBACK=none"}
	for _, v := range all {
		if strings.HasPrefix(v, "LD_") {
			out = append(out, v)
		}
	}
	return out
}

// IsChild tells whether this process is to decode, and to do nothing else.
func IsChild() bool { return len(os.Args) > 2 && os.Args[0] == childName }

// Child decodes what comes by standard input until that ends, and gives the exit code.
func Child() int {
	memory, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		return 2
	}
	seconds, err := strconv.ParseUint(os.Args[2], 10, 32)
	if err != nil {
		return 2
	}
	endWithParent()
	if err := confine(memory, seconds); err != nil {
		return 3
	}
	return serve(os.Stdin, os.Stdout, decode)
}

// endWithParent ends this process when its parent has ended, by a signal even, also while it decodes.
func endWithParent() {
	const firstExtra = 3 // descriptor
	life := os.NewFile(firstExtra, "life of the parent")
	guard.Go(func() error {
		_, err := life.Read(make([]byte, 1)) // nothing is ever written to it
		return err
	}, func(error) { os.Exit(6) })
}

// serve answers requests.
func serve(from io.Reader, to io.Writer, decode func(Request) (Mesh, error)) int {
	for {
		request, err := readRequest(from)
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			return 4
		}
		mesh, err := decode(request)
		if err := writeAnswer(to, mesh, err); err != nil {
			return 5
		}
	}
}
