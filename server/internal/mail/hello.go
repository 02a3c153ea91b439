package mail

import (
	"net"
	"net/netip"
	"regexp"
	"strings"
)

var fullName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$`)

// helloName returns the name by which a client introduces itself: the host of the installation if that is a name on the
// Internet, otherwise the address of the connection (RFC 5321, 4.1.3), because strict servers refuse other names.
func helloName(host string, local net.Addr) string {
	host = strings.ToLower(strings.Trim(host, "[]"))
	if fullName.MatchString(host) {
		return host
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		at, err := netip.ParseAddrPort(local.String())
		if err != nil {
			return "[127.0.0.1]"
		}
		ip = at.Addr()
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		return "[IPv6:" + ip.String() + "]"
	}
	return "[" + ip.String() + "]"
}
