package embeddedpg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Config says where the server lives.
type Config struct {
	// Dir is made if missing. It holds data/, postgres.log, postgres.password and lock.
	Dir string
	// Settings are given to PostgreSQL on top of ours.
	Settings map[string]string
	// Logger may be nil.
	Logger *slog.Logger
}

const owner, database = "sininho", "sininho"

// Server is a running PostgreSQL.
type Server struct {
	config   Config
	binaries binaries
	account  account
	password string
	port     int

	cmd  *exec.Cmd
	lock *os.File
	done chan struct{}
	stop sync.Once
	err  error
}

// Start returns when the server takes connections and its database exists. An error says what to do.
func Start(ctx context.Context, c Config) (*Server, error) {
	s, err := prepare(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	if err := s.createDatabase(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("make the database: %w", err), s.Stop())
	}
	return s, nil
}

func prepare(ctx context.Context, c Config) (s *Server, err error) {
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return nil, err
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil { //nolint:gosec // secrets in it have modes of their own
		return nil, err
	}
	held, err := lock(c.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = held.Close()
		}
	}()
	s = &Server{config: c, lock: held}
	if err := stopOrphan(ctx, s.data()); err != nil {
		return nil, err
	}
	if s.account, err = chooseAccount(); err != nil {
		return nil, err
	}
	if s.account, err = s.account.reaching(ctx, c.Dir); err != nil {
		return nil, err
	}
	need, err := version(s.data())
	if err != nil {
		return nil, err
	}
	if s.binaries, err = findBinaries(ctx, need); err != nil {
		return nil, err
	}
	if s.password, err = s.keepPassword(); err != nil {
		return nil, err
	}
	if need == 0 {
		err = s.initialise(ctx)
	}
	return s, err
}

func (s *Server) data() string { return filepath.Join(s.config.Dir, "data") }
func (s *Server) log() string  { return filepath.Join(s.config.Dir, "postgres.log") }

// version is the major version that made a data directory; 0 when there is none yet.
func version(data string) (int, error) {
	b, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("%s is no PostgreSQL data directory of version 10 or later: move it away to start afresh", data)
	}
	return major, nil
}

// keepPassword reads the password, or makes one for a new directory.
func (s *Server) keepPassword() (string, error) {
	path := filepath.Join(s.config.Dir, "postgres.password")
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	password := rand.Text()
	return password, os.WriteFile(path, []byte(password+"\n"), 0o600)
}

// initialise makes the data directory beside its place and moves it there when it is whole.
func (s *Server) initialise(ctx context.Context) error {
	unfinished := s.data() + ".tmp"
	if err := errors.Join(os.RemoveAll(unfinished), os.RemoveAll(s.data()), os.Mkdir(unfinished, 0o700), s.account.own(unfinished)); err != nil {
		return err
	}
	passwordFile := s.data() + ".password" // for the account to read, while initdb runs
	if err := errors.Join(os.WriteFile(passwordFile, []byte(s.password+"\n"), 0o600), s.account.own(passwordFile)); err != nil {
		return err
	}
	defer os.Remove(passwordFile) //nolint:errcheck // it is gone or it is not
	cmd := s.account.command(ctx, s.binaries.path("initdb"), "-D", unfinished, "-U", owner, "--pwfile="+passwordFile,
		"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions")
	if out, err := runLocked(cmd); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return os.Rename(unfinished, s.data())
}

// runLocked runs a short program to its end on a thread that lives as long as it: dieWithParent is about threads.
func runLocked(cmd *exec.Cmd) ([]byte, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.CombinedOutput()
}

// run starts the server, on another port if the one chosen is taken in the meantime.
func (s *Server) run(ctx context.Context) error {
	for try := 0; ; try++ {
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		s.port = port
		if err := s.launch(); err != nil {
			return err
		}
		err = s.waitReady(ctx)
		if err == nil || try == 4 || !strings.Contains(s.lastLog(), "Address already in use") {
			return err
		}
	}
}

func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()                          //nolint:errcheck // it only held the port
	return l.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // it is TCP
}

func (s *Server) launch() error {
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the server has its own
	s.cmd = s.account.command(context.Background(), s.binaries.path("postgres"), s.arguments()...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	done, started := make(chan struct{}), make(chan error, 1)
	s.done = done
	go func() {
		runtime.LockOSThread() // dieWithParent is about the thread
		defer runtime.UnlockOSThread()
		defer close(done)
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait()
		}
	}()
	return <-started
}

func (s *Server) arguments() []string {
	settings := map[string]string{
		"listen_addresses": "127.0.0.1", "port": strconv.Itoa(s.port), "unix_socket_directories": "",
		"max_connections": "200", "shared_buffers": "128MB", "log_min_messages": "warning",
	}
	for k, v := range s.config.Settings {
		settings[k] = v
	}
	args := []string{"-D", s.data()}
	for k, v := range settings {
		args = append(args, "-c", k+"="+v)
	}
	return args
}

func (s *Server) waitReady(ctx context.Context) error {
	for until := time.Now().Add(startWithin); time.Now().Before(until); {
		if pid, ready := postmaster(s.data()); ready && pid == s.cmd.Process.Pid {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("PostgreSQL ended at once:\n%s", s.lastLog())
		default:
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("PostgreSQL was not ready in %s:\n%s", startWithin, s.lastLog())
}

// lastLog is the end of the server's log.
func (s *Server) lastLog() string {
	b, _ := os.ReadFile(s.log())
	return string(b[max(0, len(b)-2_000):])
}

// URL is the database's address.
func (s *Server) URL() string { return s.url(database) }

func (s *Server) url(name string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(owner, s.password), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)),
		Path: "/" + name, RawQuery: "sslmode=disable"}
	return u.String()
}

func (s *Server) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // short-lived
	var there bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).Scan(&there); err != nil || there {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+database)
	return err
}

// Done is closed when the server has ended, also by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the server, harder if it does not listen, and lets go of the directory.
func (s *Server) Stop() error {
	s.stop.Do(func() { s.err = errors.Join(s.end(), s.lock.Close()) })
	return s.err
}

func (s *Server) end() error {
	if s.cmd == nil || s.cmd.Process == nil {
		return nil
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = s.cmd.Process.Signal(signal)
		select {
		case <-s.done:
			return nil
		case <-time.After(stopWithin):
		}
	}
	return errors.New("PostgreSQL does not stop")
}
