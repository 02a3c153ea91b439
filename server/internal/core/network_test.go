package core_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestAround(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.1":            "[{192.0.2.1/32 1 1} {192.0.2.0/24 10 2} {192.0.0.0/16 100 5}]",
		"2001:db8:1:2:3:4:5:6": "[{2001:db8:1:2::/64 1 1} {2001:db8:1::/48 10 1} {2001:db8::/32 100 5}]",
		"fe80::1%eth0":         "[{fe80::/64 1 1} {fe80::/48 10 1} {fe80::/32 100 5}]",
	} {
		network := core.NetworkOf(netip.MustParseAddr(addr))
		check.Equal(t, "around "+addr, fmt.Sprint(core.Around(network)), want)
		check.Equal(t, "parsed name of "+addr, core.ParseNetwork(core.NetworkName(network)).String(), network.String())
	}
	check.Equal(t, "around nothing", len(core.Around(core.NetworkOf(netip.Addr{}))), 1)
	check.Equal(t, "site of nothing", core.SiteOf(netip.Prefix{}).IsValid(), false)
	for network, want := range map[string]string{"192.0.2.1/32": "192.0.2.1/32", "2001:db8:1:2::/64": "2001:db8:1::/48"} {
		check.Equal(t, "site of "+network, core.SiteOf(netip.MustParsePrefix(network)).String(), want)
	}
}
