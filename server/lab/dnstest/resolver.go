// Package dnstest resolves names for tests as they say.
package dnstest

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// Resolver returns a resolver that gives every name the IPv4 addresses in turn, one for each query, and the last one
// from then on. The zero address means that a name has none.
func Resolver(t testing.TB, addresses ...netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var queries atomic.Int64
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			query := b[:n]
			end := question(query)
			address := addresses[0]
			if binary.BigEndian.Uint16(query[end-4:]) == typeA {
				address = addresses[min(int(queries.Add(1)), len(addresses))-1]
			}
			_, _ = conn.WriteTo(response(query[:end], address), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

const typeA = 1

// question returns where the question of a query ends.
func question(query []byte) int {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	return end + 5
}

// response responds to an A query with the address, and to any other query with no records.
func response(query []byte, address netip.Addr) []byte {
	out := append([]byte{}, query...)
	out[2], out[3] = 0x84, 0
	binary.BigEndian.PutUint16(out[4:], 1)
	copy(out[6:], make([]byte, 6))
	if binary.BigEndian.Uint16(query[len(query)-4:]) == typeA && address.IsValid() {
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		out = append(out, address.AsSlice()...)
	}
	return out
}
