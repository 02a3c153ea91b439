//go:build linux || darwin

package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sininho/sininho/server/internal/postgres"
)

// Write writes a backup of the database into a new file that only its owner may read. The file appears under its name
// when it is complete and on disk; an existing one is never replaced. Tables are reported to progress as they are
// written. Nothing waits for a backup, except changes of tables such as migrations.
func Write(ctx context.Context, databaseURL, file string, progress io.Writer) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already, and a backup replaces no file", file)
	}
	db, err := connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer db.close()
	version, err := postgres.SchemaVersion(ctx, db.Conn)
	if err != nil {
		return err
	}
	if version == 0 {
		return errors.New("the database has no tables of Sininho: is DATABASE_URL right?")
	}
	fmt.Fprintf(progress, "writing %s: PostgreSQL %d, version %d of the tables\n", file, db.major, version)
	unfinished, err := newFile(file)
	if err != nil {
		return err
	}
	defer os.Remove(unfinished) // after a success it is there under its own name
	if err := db.dump(ctx, unfinished, progress); err != nil {
		return fmt.Errorf("back up the database: %w", err)
	}
	size, err := publish(unfinished, file)
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "%s is complete: %d bytes\n", file, size)
	return nil
}

// newFile creates an empty file beside another one.
func newFile(file string) (path string, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*.unfinished") // its mode is 0600
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// lockPatience limits how long a backup waits for a migration.
const lockPatience = "60s"

func (d *database) dump(ctx context.Context, file string, progress io.Writer) error {
	cmd, err := d.command(ctx, "pg_dump", "--dbname="+d.address, "--format=custom", "--file="+file, "--no-owner",
		"--no-privileges", "--lock-wait-timeout="+lockPatience, "--no-password", "--verbose")
	if err != nil {
		return err
	}
	return run(cmd, progress)
}

// publish makes a file durable and gives it its name, unless another one has it.
func publish(unfinished, file string) (size int64, err error) {
	f, err := os.OpenFile(unfinished, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return 0, err
	}
	if err := os.Link(unfinished, file); err != nil { // unlike a rename it replaces nothing
		return 0, err
	}
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return 0, err
	}
	return info.Size(), errors.Join(dir.Sync(), dir.Close())
}
