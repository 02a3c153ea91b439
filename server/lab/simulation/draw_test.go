package simulation

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// draw is everything that a seed decides.
type draw struct {
	Seed        uint64
	OwnPostgres bool // which may be killed
	NATS        bool // carries signals between the nodes
	Length      time.Duration
	Publishers  [][]step
	Followers   [][]step
	Streams     []streamDraw

	Processes, Network, Pushes, Clocks []fault
}

// step is what a caller does next.
type step struct {
	Pause     time.Duration // before
	Do        string
	Node      int
	Channel   int
	Pick      float64 // among what there is to choose from; 1 is the latest
	Important bool
	External  int // 0: no external id
	Size      int // of a batch
	Schedule  time.Duration
	Expire    time.Duration
	Bell      string
	Muted     bool
	Limit     int // of a page
}

// streamDraw is a stream and how it is cut by its reader.
type streamDraw struct {
	Person  int // -1: of a channel
	Channel int
	Node    int
	Begin   time.Duration
	Replay  bool // begins with everything
	Cuts    []time.Duration
}

// fault is something that breaks, some time after what broke before.
type fault struct {
	Pause  time.Duration
	Do     string
	Node   int
	Length time.Duration
	Amount time.Duration // of latency, or by which a clock is wrong
	Push   fcm.Fault
	Device int // that is gone; -1: none
}

const (
	nodeCount     = 3
	channelCount  = 3
	followerCount = 5
	deviceCount   = 2 // of each follower
)

type dice struct{ *rand.Rand }

// newDraw draws from a seed.
func newDraw(seed uint64) *draw {
	d := dice{rand.New(rand.NewPCG(seed, 0))}
	plan := &draw{Seed: seed, OwnPostgres: d.IntN(8) == 0, Length: d.between(1500, 3000),
		NATS: d.IntN(4) == 0}
	for range 3 {
		plan.Publishers = append(plan.Publishers, d.steps(plan.Length, 80, d.publish))
	}
	for p := range followerCount {
		plan.Followers = append(plan.Followers, d.steps(plan.Length, 70, func() step { return d.follow(p) }))
	}
	for c := range channelCount {
		plan.Streams = append(plan.Streams, d.stream(plan.Length, -1, c))
	}
	for p := range followerCount {
		plan.Streams = append(plan.Streams, d.stream(plan.Length, p, 0))
	}
	plan.Processes = d.faults(plan.Length, 700, d.process)
	plan.Network = d.faults(plan.Length, 700, func() fault { return d.network(plan.OwnPostgres) })
	plan.Pushes = d.faults(plan.Length, 300, d.push)
	if d.IntN(3) == 0 {
		plan.Clocks = d.faults(plan.Length, 500, d.clock)
	}
	return plan
}

// between draws a time between two numbers of milliseconds.
func (d dice) between(from, to int) time.Duration {
	return time.Duration(from+d.IntN(to-from)) * time.Millisecond
}

// one draws one of some values; those that are there twice twice as often.
func (d dice) one(values ...string) string { return values[d.IntN(len(values))] }

// steps draws steps with that pause in milliseconds on average.
func (d dice) steps(length time.Duration, pause int, next func() step) (all []step) {
	for left := length; left > 0; {
		s := next()
		s.Pause, s.Node, s.Pick = d.between(0, 2*pause), d.IntN(nodeCount), d.Float64()
		left -= s.Pause
		all = append(all, s)
	}
	return all
}

func (d dice) publish() step {
	s := step{Do: d.one(history.Publish, history.Publish, history.Publish, again, history.Batch, history.Correct,
		history.Correct, history.Withdraw), Channel: d.IntN(channelCount), Important: d.IntN(3) == 0}
	if s.Do == history.Publish || s.Do == history.Batch {
		s.Size = 1 + d.IntN(6)
		if d.IntN(5) == 0 {
			s.External = 1 + d.IntN(5)
		}
	}
	if s.Do == history.Publish && d.IntN(5) == 0 {
		s.Schedule = d.between(1, 2000)
	}
	if s.Do == history.Publish && d.IntN(5) == 0 {
		s.Expire = s.Schedule + d.between(50, 2000)
	}
	return s
}

// again is a step that publishes with a key that was used before.
const again = "again"

// follow draws what a follower does. The first two only look on, so that there is much that they must have.
func (d dice) follow(person int) step {
	s := step{Channel: d.IntN(channelCount), Muted: d.IntN(2) == 0, Bell: d.one("all", "all", "important", "none"),
		Limit: limits[d.IntN(len(limits))]}
	looks := []string{history.Feed, history.Feed, history.UnreadFeed, history.Subscriptions, history.List,
		history.Channel, history.Read, history.Unread, history.Archive, history.Restore, history.ReadAll}
	if person < 2 {
		s.Do = d.one(looks...)
	} else {
		s.Do = d.one(append(looks, history.Follow, history.Follow, history.Follow, history.Unfollow, history.Unfollow,
			history.Bell, history.Mute, history.Register, history.Remove, move)...)
	}
	return s
}

// limits are those of pages: small ones are made of what is in memory.
var limits = []int{10, 100}

// move is a step that registers a device that another person had.
const move = "move"

func (d dice) stream(length time.Duration, person, channel int) streamDraw {
	s := streamDraw{Person: person, Channel: channel, Node: d.IntN(nodeCount), Begin: d.between(0, 400),
		Replay: d.IntN(3) == 0}
	for at := d.between(100, 1500); at < length; at += d.between(100, 1500) {
		s.Cuts = append(s.Cuts, at)
	}
	return s
}

// faults draws faults with that pause in milliseconds on average.
func (d dice) faults(length time.Duration, pause int, next func() fault) (all []fault) {
	for left := length; left > 0; {
		f := next()
		f.Pause, f.Node = d.between(0, 2*pause), d.IntN(nodeCount)
		left -= f.Pause + f.Length
		all = append(all, f)
	}
	return all[:len(all)-1]
}

// What breaks.
const (
	kill        = "kill"
	terminate   = "terminate"       // SIGTERM
	impatient   = "terminate twice" // SIGTERM
	freeze      = "freeze"          // SIGSTOP
	cutDatabase = "cut database"    // closes the connections of a node, and refuses new ones
	slow        = "slow database"
	silent      = "silent database" // nothing comes from it, not even an error
	cutSignals  = "cut signals"     // the connection on which a node listens
	endBackends = "end backends"    // pg_terminate_backend
	killBase    = "kill PostgreSQL"
	pushes      = "push service"
	wrongClock  = "clock"
)

func (d dice) process() fault {
	return fault{Do: d.one(kill, kill, kill, terminate, impatient, freeze, freeze), Length: d.between(50, 700)}
}

func (d dice) network(ownPostgres bool) fault {
	f := fault{Do: d.one(cutDatabase, slow, silent, cutSignals, cutSignals, endBackends, endBackends),
		Length: d.between(50, 900), Amount: d.between(5, 150)}
	if ownPostgres && d.IntN(2) == 0 {
		f.Do = killBase
	}
	return f
}

func (d dice) push() fault {
	f := fault{Do: pushes, Length: d.between(100, 800), Device: -1}
	share, times := 0.1+0.9*d.Float64(), 1+d.IntN(3)
	switch d.IntN(9) {
	case 0:
		f.Push = fcm.Fault{Error: d.one("INTERNAL", "UNAVAILABLE"), Share: share, Times: times}
	case 1:
		f.Push = fcm.Fault{Error: "UNAVAILABLE", RetryAfter: "1", Share: share, Times: times}
	case 2:
		f.Push = fcm.Fault{Error: d.one("RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED"), RetryAfter: "1", Share: share}
	case 3:
		f.Push = fcm.Fault{Error: d.one("UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), Share: share}
	case 4:
		f.Push = fcm.Fault{Cut: d.one("before", "after"), Share: share, Times: times}
	case 5:
		f.Push = fcm.Fault{Delay: d.between(10, 400).String()}
	case 6:
		f.Push = fcm.Fault{Delay: d.between(500, 1500).String(), Cut: d.one("before", "after"), Share: share, Times: times}
	default: // for ever
		f.Device = d.IntN(followerCount * deviceCount)
		f.Push = fcm.Fault{Token: address(f.Device), Error: d.one("UNREGISTERED", "SENDER_ID_MISMATCH", "INVALID_TOKEN")}
	}
	return f
}

func (d dice) clock() fault {
	f := fault{Do: wrongClock, Length: d.between(100, 1500), Amount: d.between(1000, 3_600_000)}
	if d.IntN(2) == 0 {
		f.Amount = -f.Amount
	}
	return f
}

// The names of what takes part.
func channel(i int) string { return fmt.Sprintf("canal-%d", i) }
func person(i int) string  { return fmt.Sprintf("person-%d", i) }
func address(i int) string { return fmt.Sprintf("address-%d", i) }

// TestDrawIsRepeatable draws twice from each of some seeds.
func TestDrawIsRepeatable(t *testing.T) {
	t.Parallel()
	did := map[string]bool{}
	for seed := range uint64(200) {
		first := newDraw(seed)
		if !reflect.DeepEqual(first, newDraw(seed)) {
			t.Errorf("draws from the seed %d: got two that differ, want the same", seed)
		}
		for _, all := range [][]fault{first.Processes, first.Network, first.Pushes, first.Clocks} {
			for _, f := range all {
				did[f.Do] = true
			}
		}
	}
	for _, what := range []string{kill, terminate, impatient, freeze, cutDatabase, slow, silent, cutSignals,
		endBackends, killBase, pushes, wrongClock} {
		if !did[what] {
			t.Errorf("faults of 200 seeds: got none that is %q, want some", what)
		}
	}
}
