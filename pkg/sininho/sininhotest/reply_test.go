package sininhotest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

const nowhere = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"

// watchedTest keeps what it is told instead of failing.
type watchedTest struct {
	testing.TB
	mu     sync.Mutex
	faults []string
}

func (t *watchedTest) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

func (t *watchedTest) take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() { t.faults = nil }()
	return strings.Join(t.faults, "\n")
}

func TestReplyFollowsTheScript(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	none := map[string]int64{}
	server.Reply(200, sininho.Deliveries{Targeted: 3, Accepted: 1, Suppressed: none, Failed: map[string]int64{"unregistered": 2}, Expired: none, Finished: true})
	d, err := client.Notifications.Deliveries(t.Context(), "demo/novidades", nowhere)
	if err != nil || d.Failed["unregistered"] != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	server.Reply(204, nil)
	if err := client.Notifications.Withdraw(t.Context(), "demo/novidades", nowhere); err != nil {
		t.Error(err)
	}
	if _, err := client.Notifications.Get(t.Context(), "demo/novidades", nowhere); err == nil {
		t.Error("the script goes on")
	}
}

func TestReplyKeepsTheScriptToTheContract(t *testing.T) {
	watched := &watchedTest{TB: t}
	server := sininhotest.New(watched)
	client := server.Client()
	for name, script := range map[string]func(){
		"a value of another kind": func() { server.Reply(200, sininho.Category{Name: "Metro"}) },
		"a status it has not":     func() { server.Reply(299, sininho.Deliveries{}) },
		"no body":                 func() { server.Reply(200, nil) },
	} {
		script()
		_, _ = client.Notifications.Deliveries(t.Context(), "demo/novidades", nowhere)
		if told := watched.take(); !strings.Contains(told, "breaks the contract") {
			t.Errorf("%s: told %q", name, told)
		}
	}
	server.Reply(201, sininho.Notification{})
	_, err := client.Publishers.Create(t.Context(), "metro", sininho.PublisherInput{Name: ""})
	if told := watched.take(); err == nil || told != "" {
		t.Errorf("a request that breaks the contract: %v, told %q", err, told)
	}
}
