package settings

import (
	"errors"
	"fmt"
	"os"
)

// CheckPrivate returns an error if people who neither own a file nor are in its group may read or change it.
func CheckPrivate(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	const others = 0o006 // read and write
	if !info.Mode().IsRegular() || info.Mode()&others == 0 {
		return nil
	}
	return fmt.Errorf("%s has secrets, but everyone on this machine may read or change it: run `chmod o= %s`", path,
		path)
}

// Create writes a new file that only its owner may read. It replaces no file.
func Create(path string, content []byte) (err error) {
	const private = 0o600
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists already, and is not replaced: choose another file, or move it away", path)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(path)) // half a file would look like a whole one
		}
	}()
	if err := f.Chmod(private); err != nil { // a umask may have taken more away
		return err
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}
