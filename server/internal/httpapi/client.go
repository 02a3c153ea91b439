package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// network is what counts as one caller: an address, or of IPv6 the /64 that a household gets.
func network(addr netip.Addr) netip.Prefix {
	bits := 64
	if addr.Is4() {
		bits = addr.BitLen()
	}
	p, _ := addr.WithZone("").Prefix(bits) // the zero network when there is no address
	return p
}

// clientAddr is the address of the client: the last one on the way here that is not a trusted proxy's.
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

// peerAddr is the address that the request came from; the zero address for one without any, such as of a Unix socket.
func peerAddr(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap()
}

func trusts(trusted []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// warnOfProxy logs the first request forwarded by a proxy that is not trusted. All who come through such a proxy share
// the limits of one visitor.
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
