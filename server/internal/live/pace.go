package live

import "time"

// pace is how often and how long a stream is attended to.
type pace struct {
	heartbeat  time.Duration // interval of heartbeats
	lookUp     time.Duration // interval of reading the followed channels again, in case a signal was lost
	sweep      time.Duration // interval of a shard's look at its streams
	write      time.Duration // time limit of a write
	sendBuffer int           // bytes that the kernel keeps for a slow reader, which would grow to megabytes
}

var defaultPace = pace{heartbeat: 15 * time.Second, lookUp: time.Minute, sweep: time.Second, write: 10 * time.Second,
	sendBuffer: 64 << 10}
