package main

import (
	"errors"
	"fmt"

	"github.com/godbus/dbus/v5"
)

const (
	busName = "org.freedesktop.Notifications"
	path    = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// Reasons to close a note, as numbered in the specification.
const (
	dismissed = 2
	byCall    = 3
)

// daemon is the notification service. The bus calls its exported methods, which the specification defines.
type daemon struct {
	conn  *dbus.Conn
	notes notes
}

// own registers a daemon as the notification service of the session. It fails if there is another.
func own(conn *dbus.Conn) (*daemon, error) {
	d := &daemon{conn: conn}
	if err := conn.Export(d, path, busName); err != nil {
		return nil, err
	}
	reply, err := conn.RequestName(busName, dbus.NameFlagDoNotQueue)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", busName, err)
	}
	if reply != dbus.RequestNameReplyPrimaryOwner {
		return nil, errors.New(busName + " has another owner on this bus; run this under dbus-run-session")
	}
	return d, nil
}

// GetCapabilities returns every capability for which a browser sends more of a notification.
func (d *daemon) GetCapabilities() ([]string, *dbus.Error) {
	return []string{"actions", "body", "body-hyperlinks", "body-images", "icon-static", "persistence"}, nil
}

// GetServerInformation returns the name, vendor and version, and the version of the specification.
func (d *daemon) GetServerInformation() (name, vendor, version, spec string, _ *dbus.Error) {
	return "notifyd", "Sininho", "1", "1.2", nil
}

// Notify keeps a note and returns its id. It ignores hints and the time to display the note.
func (d *daemon) Notify(
	app string, replaces uint32, icon, summary, body string, actions []string, _ map[string]dbus.Variant, _ int32,
) (uint32, *dbus.Error) {
	n := note{App: app, Summary: summary, Body: body, Icon: icon, Actions: readActions(actions)}
	return d.notes.put(n, replaces), nil
}

// CloseNotification closes a note for its application.
func (d *daemon) CloseNotification(id uint32) *dbus.Error {
	if _, err := d.close(id, byCall); err != nil {
		return dbus.MakeFailedError(err)
	}
	return nil
}

// close closes a note and sends its application the reason, once.
func (d *daemon) close(id, reason uint32) (was bool, err error) {
	if !d.notes.close(id) {
		return false, nil
	}
	return true, d.conn.Emit(path, busName+".NotificationClosed", id, reason)
}

// invoke clicks an action, which also closes the note, as desktops do.
func (d *daemon) invoke(id uint32, key string) error {
	if err := d.conn.Emit(path, busName+".ActionInvoked", id, key); err != nil {
		return err
	}
	_, err := d.close(id, dismissed)
	return err
}
