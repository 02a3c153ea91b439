package simulation

import (
	"net/http"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// breakAll breaks one thing after another, until the end of the load.
func (r *run) breakAll(faults []fault) {
	for _, f := range faults {
		r.sleep(f.Pause)
		if r.over() {
			return
		}
		r.breaks(f)
	}
}

// breaks breaks something for a while.
func (r *run) breaks(f fault) {
	e := history.Event{Type: history.Note, Kind: history.Fault, Node: nodeName(f.Node),
		Value: history.Value{Event: f.Do, Length: f.Length}}
	switch f.Do {
	case kill, impatient, silent, killBase: // these lose what is under way
		e.Breaks = true
	case pushes:
		e.Node, e.Breaks = "", f.Push.Cut != ""
		e.Cause = f.Push.Error + f.Push.Cut
		if f.Device >= 0 {
			e.Address = address(f.Device)
		}
	case wrongClock:
		e.Offset = f.Amount
	}
	r.history.Add(e)
	switch f.Do {
	case kill, terminate, impatient, freeze:
		r.breakProcess(f)
	case pushes:
		r.breakPushes(f)
	case wrongClock:
		r.setClock(f.Node, f.Amount)
		r.sleep(f.Length)
		r.setClock(f.Node, 0)
	default:
		r.breakNetwork(f)
	}
}

func (r *run) breakProcess(f fault) {
	n := r.cluster.Nodes[f.Node]
	switch f.Do {
	case freeze:
		n.Signal(syscall.SIGSTOP)
		r.sleep(f.Length)
		n.Signal(syscall.SIGCONT)
		return
	case kill:
		n.Kill()
	case terminate:
		r.stop(f.Node)
	case impatient:
		n.Signal(syscall.SIGTERM)
		time.Sleep(f.Length / 10)
		_ = n.Send(syscall.SIGTERM) // it may have ended
		n.Wait()
	}
	r.sleep(f.Length)
	r.revive(n)
}

// stop stops a node by SIGTERM, and notes how it ended.
func (r *run) stop(node int) {
	n := r.cluster.Nodes[node]
	n.Signal(syscall.SIGTERM)
	status, took := n.Wait()
	r.history.Add(history.Event{Type: history.Note, Kind: history.Stopped, Node: nodeName(node),
		Value: history.Value{Status: status, Length: took}})
}

// revive starts a node that has ended, as a supervisor would: again, when the database cannot be reached.
func (r *run) revive(n *cluster.Node) {
	for until := time.Now().Add(patience); time.Now().Before(until); {
		n.Launch()
		for !n.Ended() {
			if n.Check("/readyz") == http.StatusOK {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.t.Errorf("%s was started again: got it not ready within %s", n.Addr, patience)
}

func (r *run) breakNetwork(f fault) {
	link := r.links[f.Node]
	switch f.Do {
	case cutDatabase:
		link.Cut()
		r.sleep(f.Length)
		link.Restore(r.cluster.DatabaseURL)
	case cutSignals:
		r.signals[f.Node].Cut()
		r.sleep(f.Length)
		r.signals[f.Node].Restore(r.cluster.DatabaseURL)
	case slow:
		link.Latency(int(f.Amount.Milliseconds()))
		r.sleep(f.Length)
		link.Heal()
	case silent: // what was sent is lost, so the connections are not usable any more
		link.Add("timeout", cluster.Downstream, map[string]any{"timeout": 0})
		r.sleep(f.Length)
		link.Heal()
		link.Cut()
		link.Restore(r.cluster.DatabaseURL)
	case endBackends:
		r.db.exec(`
			select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid()`)
	case killBase:
		r.killPostgres(f.Length)
	}
}

// killPostgres kills PostgreSQL, and starts it again after a while.
func (r *run) killPostgres(down time.Duration) {
	r.db.close()
	r.own.Kill()
	for i := range nodeCount {
		r.links[i].Cut()
		r.signals[i].Cut()
	}
	r.sleep(down)
	r.own.Start()
	r.cluster.DatabaseURL = r.own.URL()
	for i := range nodeCount {
		r.links[i].Restore(r.cluster.DatabaseURL)
		r.signals[i].Restore(r.cluster.DatabaseURL)
	}
}

func (r *run) breakPushes(f fault) {
	if f.Device >= 0 {
		r.gone[f.Device] = f
	}
	r.healPushes()
	if f.Device < 0 {
		r.cluster.AddFaults(f.Push)
	}
	r.sleep(f.Length)
	r.healPushes()
}

// healPushes makes the push service well, which still does not know the devices that are gone.
func (r *run) healPushes() {
	r.cluster.FCM.ClearFaults()
	for _, f := range r.gone {
		r.cluster.AddFaults(f.Push)
	}
}

// heal makes everything well, and waits until the nodes are ready.
func (r *run) heal() {
	r.healPushes()
	for i, n := range r.cluster.Nodes {
		r.setClock(i, 0)
		if n.Ended() {
			r.t.Errorf("%s has ended by itself", nodeName(i))
		}
		n.WaitReady()
	}
	r.healed = true
	r.note(history.Healed, history.Value{})
}
