package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// Network returns the network that a request is from, in which all clients count as one.
func Network(r *http.Request, trusted []netip.Prefix) netip.Prefix {
	return core.NetworkOf(clientAddr(r, trusted))
}

// networkName returns the caller's network in readable form, or an empty string if it has no address.
func networkName(c *call) string { return core.NetworkName(core.NetworkOf(c.client)) }

// clientAddr returns the address of the client: the last hop that is not a trusted proxy.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	client := peerAddr(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !trusts(trusted, client) {
			break
		}
		addr, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		client = addr.Unmap()
	}
	return client
}

// peerAddr returns the address that the request came from, or the zero address when it has none, for example on a Unix
// socket.
func peerAddr(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap()
}

func trusts(trusted []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// warnOfProxy logs the first request that was forwarded by an untrusted proxy. All clients behind such a proxy share
// the limits of a single visitor.
func (a *server) warnOfProxy(r *http.Request) {
	forwarded := r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != ""
	peer := peerAddr(r)
	if !forwarded || trusts(a.TrustedProxies, peer) {
		return
	}
	a.untrusted.Do(func() {
		a.Log.WarnContext(r.Context(), "ignored the forwarded address of a request from a proxy that is not trusted: "+
			"if it is your proxy, add its address to TRUSTED_PROXIES, or all its visitors share the limits of one",
			"sender", peer)
	})
}
