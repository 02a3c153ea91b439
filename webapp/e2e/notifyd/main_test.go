package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// TestMain runs the tests on a bus of their own.
func TestMain(m *testing.M) {
	const mark = "NOTIFYD_TEST_BUS"
	if os.Getenv(mark) != "" {
		os.Exit(m.Run())
	}
	if _, err := exec.LookPath("dbus-run-session"); err != nil {
		println("skipped: dbus-run-session is not installed")
		os.Exit(0)
	}
	again := exec.Command("dbus-run-session", append([]string{"--", os.Args[0]}, os.Args[1:]...)...)
	again.Env = append(os.Environ(), mark+"=1")
	again.Stdout, again.Stderr = os.Stdout, os.Stderr
	if again.Run() != nil {
		os.Exit(1)
	}
}

// request makes a request and returns the status and body of the response.
func request(t *testing.T, method, url string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatalf("build the request: %v", err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("request: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	return res.StatusCode, string(b)
}

// TestDaemon is one session of an application and of a test that drives it.
func TestDaemon(t *testing.T) {
	in, end := io.Pipe()
	line, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run("127.0.0.1:0", in, out) }()
	url, err := bufio.NewReader(line).ReadString('\n')
	if err != nil {
		t.Fatalf("read a line: %v", err)
	}
	url = strings.TrimSuffix(url, "\n")

	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatalf("connect to the session bus: %v", err)
	}
	defer func() { _ = conn.Close() }()
	all, signals := make(chan *dbus.Signal, 16), make(chan *dbus.Signal, 16)
	conn.Signal(all)
	go func() { // the bus has signals of its own
		for s := range all {
			if strings.HasPrefix(s.Name, busName+".") {
				signals <- s
			}
		}
	}()
	if err := conn.AddMatchSignal(dbus.WithMatchInterface(busName)); err != nil {
		t.Fatalf("subscribe to the signal: %v", err)
	}
	signal := func(name string, want ...any) {
		t.Helper()
		select {
		case s := <-signals:
			if s.Name != busName+"."+name || !slices.Equal(s.Body, want) {
				t.Errorf("signal: got %s %v, want %s %v", s.Name, s.Body, name, want)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("signal %s: got none after two minutes", name)
		}
	}
	notify := func(replaces uint32, summary string) (id uint32) {
		t.Helper()
		call := conn.Object(busName, path).Call(busName+".Notify", 0, "chromium", replaces, "", summary, "corpo",
			[]string{"default", "Abrir", "mute", "Silenciar"},
			map[string]dbus.Variant{"urgency": dbus.MakeVariant(byte(1))}, int32(-1))
		if err := call.Store(&id); err != nil {
			t.Fatalf("Notify: %v", err)
		}
		return id
	}
	post := func(path string, want int) {
		t.Helper()
		if status, body := request(t, http.MethodPost, url+path); status != want {
			t.Errorf("POST %s: got %d %s, want %d", path, status, body, want)
		}
	}

	if _, body := request(t, http.MethodGet, url+"/notes"); body != "[]\n" {
		t.Errorf("notes at the start: got %s, want []", body)
	}
	ids := []uint32{notify(0, "um"), notify(1, "um, mudado"), notify(0, "dois")}
	if want := []uint32{1, 1, 2}; !slices.Equal(ids, want) {
		t.Fatalf("ids of a note, its replacement and another: got %v, want %v", ids, want)
	}
	post("/invoke/1/default", http.StatusNoContent)
	signal("ActionInvoked", uint32(1), "default")
	signal("NotificationClosed", uint32(1), uint32(dismissed))
	post("/invoke/1/default", http.StatusConflict)
	post("/invoke/2/other", http.StatusNotFound)
	post("/invoke/3/default", http.StatusNotFound)
	post("/close/2", http.StatusNoContent)
	signal("NotificationClosed", uint32(2), uint32(dismissed))
	if third := notify(1, "três"); third != 3 {
		t.Errorf("id of a note that replaces a closed one: got %d, want 3", third)
	}
	if err := conn.Object(busName, path).Call(busName+".CloseNotification", 0, uint32(3)).Err; err != nil {
		t.Errorf("CloseNotification: %v", err)
	}
	signal("NotificationClosed", uint32(3), uint32(byCall))

	var kept []note
	_, body := request(t, http.MethodGet, url+"/notes")
	if err := json.Unmarshal([]byte(body), &kept); err != nil {
		t.Fatalf("decode the notes: %v", err)
	}
	if len(kept) != 3 {
		t.Fatalf("notes: got %s, want 3", body)
	}
	if first := kept[0]; first.Summary != "um, mudado" || first.Replaced != 1 || first.Body != "corpo" {
		t.Errorf("first note: got %+v, want it replaced once", first)
	}
	if !kept[0].has("mute") || !kept[2].Closed {
		t.Errorf("notes: got %s, want the first with the action mute and the third closed", body)
	}
	if status, _ := request(t, http.MethodDelete, url+"/notes"); status != http.StatusNoContent {
		t.Errorf("DELETE /notes: got %d, want 204", status)
	}
	if fourth := notify(0, "quatro"); fourth != 4 {
		t.Errorf("id after the notes were deleted: got %d, want 4", fourth)
	}
	if err := end.Close(); err != nil {
		t.Fatalf("close the connection: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("end of the daemon: got %v, want no error", err)
	}
}
