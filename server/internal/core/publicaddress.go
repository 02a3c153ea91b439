package core

import "net/netip"

// notPublic lists the networks that are not, or not certainly, public on the Internet (IANA special-purpose
// registries).
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "3fff::/20",
	"168.63.129.16/32", // the platform's own services, in every virtual machine on Azure
)

var (
	unicast6         = netip.MustParsePrefix("2000::/3")
	sixToFour, nat64 = netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, s := range texts {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// PublicAddress reports whether a is a public address on the Internet, not one of this machine or of a nearby network.
// An IPv6 address that stands for an IPv4 address (mapped, 6to4 or NAT64) is judged as the IPv4 address.
func PublicAddress(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	b := a.As16()
	switch {
	case sixToFour.Contains(a):
		return PublicAddress(netip.AddrFrom4([4]byte(b[2:6])))
	case nat64.Contains(a):
		return PublicAddress(netip.AddrFrom4([4]byte(b[12:])))
	case a.Is6() && !unicast6.Contains(a):
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// NetworkOf returns the prefix that counts as one machine or household: a single IPv4 address, or the /64 of an IPv6
// address, of which anyone may have all.
func NetworkOf(a netip.Addr) netip.Prefix {
	bits := 64
	if a = a.Unmap(); a.Is4() {
		bits = a.BitLen()
	}
	network, _ := a.WithZone("").Prefix(bits) // an invalid address gives the zero prefix
	return network
}
