//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Config configures a server.
type Config struct {
	// Dir is the state directory, created if missing. It holds data/, postgres.log, postgres.password (mode 0600), and
	// the locks. Two servers cannot share it.
	Dir string
	// Settings are passed to PostgreSQL in addition to the package's own, such as {"fsync": "off"} for tests. They
	// cannot change where it listens.
	Settings map[string]string
	// Logger may be nil, which discards the log.
	Logger *slog.Logger
}

const owner, database = "sininho", "sininho"

// Server is a running PostgreSQL.
type Server struct {
	config   Config
	binaries binaries
	account  account
	password string
	lock     *os.File

	process *process
	port    int
	stop    func() error
}

// Start returns when the server accepts connections and its database exists: in well under a second if the data
// directory exists, otherwise in a few seconds. Errors say what to do. After Start has returned, ctx has no effect:
// call [Server.Stop].
func Start(ctx context.Context, c Config) (*Server, error) {
	s, err := start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL in %s: %w", c.Dir, explainPermission(c.Dir, err))
	}
	s.config.Logger.InfoContext(ctx, "PostgreSQL is ready", "version", s.binaries.major, "dir", s.config.Dir, "port",
		s.port, "pid", s.process.pid())
	return s, nil
}

func start(ctx context.Context, c Config) (_ *Server, err error) {
	if c, err = c.complete(); err != nil {
		return nil, err
	}
	held, err := lock(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, lock: held}
	s.stop = sync.OnceValue(s.shutDown)
	if err := s.bringUp(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (c Config) complete() (Config, error) {
	if c.Dir == "" {
		return c, errors.New("no directory is given")
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return c, err
	}
	c.Dir = dir
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, os.MkdirAll(c.Dir, 0o755) //nolint:gosec // files with secrets have stricter modes
}

func (s *Server) bringUp(ctx context.Context) error {
	if err := stopOrphan(ctx, s.config.Dir, s.config.Logger); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.run(ctx, freePort); err != nil {
		return err
	}
	return s.createDatabase(ctx)
}

// prepare chooses the binaries and the account, and creates the data directory if there is none.
func (s *Server) prepare(ctx context.Context) error {
	if err := os.RemoveAll(s.unfinished()); err != nil {
		return err
	}
	made, err := version(s.data())
	if err != nil {
		return err
	}
	if s.binaries, err = s.finder().find(ctx, s.data(), made); err != nil {
		return err
	}
	if s.account, err = chooseAccount(s.data()); err != nil {
		return err
	}
	if s.account, err = s.account.reaching(ctx, s.config.Dir, s.binaries.dir); err != nil {
		return err
	}
	if s.password, err = keepPassword(s.config.Dir, made); err != nil || made != 0 {
		return err
	}
	return s.makeCluster(ctx)
}

func (s *Server) finder() finder {
	return finder{chosen: os.Getenv("PG_BINDIR"), places: places, path: true,
		fetch: func(ctx context.Context) (binaries, error) {
			cache, err := cacheDir()
			if err != nil {
				return binaries{}, err
			}
			s.config.Logger.InfoContext(ctx,
				"no PostgreSQL is installed that fits: fetching one, unless that was done before", "version",
				fetchedVersion, "cache", cache)
			return fetchBinaries(ctx, cache)
		}}
}

func (s *Server) data() string { return filepath.Join(s.config.Dir, "data") }

const portTries = 5

// run starts the server, and tries another port if the picked one is taken in the meantime.
func (s *Server) run(ctx context.Context, pick func(context.Context) (int, error)) error {
	for try := 1; ; try++ {
		port, err := pick(ctx)
		if err != nil {
			return fmt.Errorf("pick a port: %w", err)
		}
		s.port = port
		if s.process, err = s.launch(ctx); err != nil {
			return err
		}
		err = s.process.waitReady(ctx, s.data())
		if err == nil || try == portTries || !strings.Contains(err.Error(), "Address already in use") {
			return err
		}
	}
}

func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()                          // it only reserved the port
	return l.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // it is TCP
}

// launch starts postgres, which outlives ctx.
func (s *Server) launch(ctx context.Context) (*process, error) {
	cmd := s.account.command(context.WithoutCancel(ctx), s.binaries.path("postgres"), s.arguments()...)
	return startProcess(ctx, cmd, s.config.Dir)
}

// arguments returns the command line. The last value of a setting counts, so Settings override the defaults, but not
// where the server listens.
func (s *Server) arguments() []string {
	args := []string{"-D", s.data(), "-c", "max_connections=100", "-c", "shared_buffers=128MB"}
	for name, value := range s.config.Settings {
		args = append(args, "-c", name+"="+value)
	}
	// Only TCP: the path of a Unix socket must be short, but a directory's path may be long.
	return append(args, "-c", "listen_addresses=127.0.0.1", "-c", "port="+strconv.Itoa(s.port), "-c",
		"unix_socket_directories=")
}

// URL returns the database's URL, which contains the password.
func (s *Server) URL() string { return s.url(database) }

func (s *Server) url(name string) string { return address(s.password, s.port, name) }

func address(password string, port int, name string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(owner, password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Path: "/" + name, RawQuery: "sslmode=disable",
	}
	return u.String()
}

const wrongPassword = "28P01" // SQLSTATE

func (s *Server) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == wrongPassword {
		return fmt.Errorf("the password in %s is not the one that %s was made with: put the right one back, or move "+
			"the data directory away to start afresh",
			filepath.Join(s.config.Dir, "postgres.password"), s.data())
	}
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) // nothing is lost if it fails
	var there bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).
		Scan(&there); err != nil || there {
		return err
	}
	if _, err := conn.Exec(ctx, "create database "+database); err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return nil
}

// Done is closed when the server has ended, even by itself. Stop must still be called.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Context returns a context that is also canceled when the server ends by itself, with an error that says so as its
// cause.
func (s *Server) Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		select {
		case <-s.Done():
			cancel(errors.New("PostgreSQL has ended; see " + filepath.Join(s.config.Dir, "postgres.log")))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Stop ends the server by a fast shutdown, which aborts running statements, or by force if that takes too long.
// Afterwards no process of it is left, and another Start may use the directory. Further calls return the same error.
func (s *Server) Stop() error { return s.stop() }

// Kill ends the server at once, as a crash does, and then does what Stop does.
func (s *Server) Kill() error {
	if err := s.process.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill PostgreSQL: %w", err)
	}
	<-s.process.done
	return s.Stop()
}

func (s *Server) shutDown() error {
	var err error
	if s.process != nil {
		err = errors.Join(s.process.end(), waitNoneLeft(context.Background(), s.config.Dir))
	}
	return errors.Join(err, unlock(s.lock))
}

// explainPermission adds the directory's owner and advice to a permission error.
func explainPermission(dir string, err error) error {
	pathError, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	whose := ""
	if info, err := os.Stat(dir); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			whose = " of " + ownerName(stat.Uid)
		}
	}
	return fmt.Errorf("%w: %s is not for this user, in a directory%s: run as the user who made it, or choose another "+
		"directory", err, pathError.Path, whose)
}
