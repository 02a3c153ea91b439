package core

import (
	"net/netip"
	"net/url"
	"slices"

	"github.com/sininho/sininho/pkg/rules"
)

// PushRules determines which devices may be registered, and which push services may be dialled.
type PushRules struct {
	// Kinds are the kinds of devices that may be registered.
	Kinds []string
	// Networks are those besides the public ones in which push services may be, over http and at any port too.
	Networks []netip.Prefix
	// Own is the origin of this installation, which is no push service.
	Own string
}

// May reports whether a push service at that address and port may be dialled.
func (r PushRules) May(a netip.AddrPort) bool {
	return PublicAddress(a.Addr()) && a.Port() == httpsPort || r.isNear(a.Addr())
}

// isNear reports whether an address is in one of Networks.
func (r PushRules) isNear(a netip.Addr) bool {
	return slices.ContainsFunc(r.Networks, func(n netip.Prefix) bool { return n.Contains(a.Unmap()) })
}

// endpoint returns what is wrong with the endpoint of a push subscription, or "". What a host name resolves to is
// checked when it is dialled.
func (r PushRules) endpoint(endpoint string) (code string, text Text) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(endpoint) > rules.MaxLink {
		return "link", rules.NotLink()
	}
	if rules.IsAt(endpoint, r.Own) {
		return "own", Text{EN: "is an address of this server, which is no push service",
			PT: "é um endereço deste servidor, que não é um serviço de push"}
	}
	host := u.Hostname()
	a, err := netip.ParseAddr(host)
	if isAddress := err == nil; isAddress && r.isNear(a) || rules.IsLoopback(host) && r.isNear(loopback) {
		return nearScheme(u.Scheme)
	}
	switch port := u.Port(); {
	case u.Scheme != "https":
		return "link", rules.NotLink()
	case err == nil && !PublicAddress(a), rules.IsLoopback(host):
		return "private", Text{EN: "is not a public address", PT: "não é um endereço público"}
	case port != "" && port != "443" && len(r.Networks) == 0:
		return "port", Text{EN: "has a port other than 443", PT: "tem uma porta que não é a 443"}
	}
	return "", Text{}
}

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// nearScheme returns what is wrong with the scheme of an address in one of Networks, or "".
func nearScheme(scheme string) (code string, text Text) {
	if scheme == "https" || scheme == "http" {
		return "", Text{}
	}
	return "link", rules.NotLink()
}
