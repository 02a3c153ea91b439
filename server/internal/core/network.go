package core

import "net/netip"

// Surrounding is a network, or one in which it lies, with what all of it may have, as a multiple of the limit of a
// network.
type Surrounding struct {
	Network netip.Prefix
	Rate    int // of limits that each has for itself
	Share   int // of what everybody draws from one budget
}

// Around returns a network and those in which it lies, the smallest first: one stranger may be assigned as much as a
// /48 of IPv6, and one provider of servers has a /32, while honest people of a provider share them. The zero prefix is
// alone.
func Around(network netip.Prefix) []Surrounding {
	switch {
	case !network.IsValid():
		return []Surrounding{{network, 1, 1}}
	case network.Addr().Is4():
		return []Surrounding{{network, 1, 1}, {wider(network, 24), 10, 2}, {wider(network, 16), 100, 5}}
	default:
		return []Surrounding{{network, 1, 1}, {wider(network, 48), 10, 1}, {wider(network, 32), 100, 5}}
	}
}

// SiteOf returns what one stranger is assigned at most without much expense: an IPv4 address, or the /48 of an IPv6
// network. Those of a site wait for each other where there is no room for all at once.
func SiteOf(network netip.Prefix) netip.Prefix {
	if !network.IsValid() || network.Addr().Is4() {
		return network
	}
	return wider(network, 48)
}

func wider(network netip.Prefix, bits int) netip.Prefix {
	p, _ := network.Addr().Prefix(min(bits, network.Bits())) // fails only for other numbers of bits
	return p
}

// NetworkName returns a network in readable form, or "" for the zero prefix.
func NetworkName(network netip.Prefix) string {
	switch {
	case !network.IsValid():
		return ""
	case network.IsSingleIP():
		return network.Addr().String()
	default:
		return network.String()
	}
}

// ParseNetwork returns the network of a name, or the zero prefix for "".
func ParseNetwork(name string) netip.Prefix {
	if addr, err := netip.ParseAddr(name); err == nil {
		return netip.PrefixFrom(addr, addr.BitLen())
	}
	p, _ := netip.ParsePrefix(name)
	return p
}
