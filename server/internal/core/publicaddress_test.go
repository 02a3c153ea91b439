package core_test

import (
	"net/netip"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for what, addresses := range map[string][]string{
		"unspecified":    {"0.0.0.0", "0.1.2.3", "::"},
		"loopback":       {"127.0.0.1", "127.255.255.254", "::1"},
		"private":        {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"},
		"link-local":     {"169.254.0.1", "fe80::1", "fe80::1%eth0"},
		"carrier's NAT":  {"100.64.0.1", "100.127.255.255"},
		"multicast":      {"224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"},
		"broadcast":      {"255.255.255.255", "240.0.0.1"},
		"unique local":   {"fc00::1", "fd00:ec2::254"},
		"a cloud's own":  {"169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192"},
		"site-local":     {"fec0::1"},
		"documentation":  {"192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"},
		"benchmarking":   {"198.18.0.1", "2001:2::1"},
		"protocols'":     {"192.0.0.1", "192.88.99.1", "2001::1", "100::1", "5f00::1", "64:ff9b:1::a00:1"},
		"mapped":         {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"},
		"compatible":     {"::127.0.0.1", "::10.0.0.1"},
		"6to4":           {"2002:7f00:1::", "2002:a00:1::", "2002:a9fe:a9fe::1"},
		"NAT64":          {"64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe"},
		"zone of public": {"2606:4700::1111%eth0"},
	} {
		for _, s := range addresses {
			check.Equal(t, "PublicAddress of "+s+", "+what, core.PublicAddress(netip.MustParseAddr(s)), false)
		}
	}
	for _, s := range []string{
		"1.1.1.1", "93.184.215.14", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
		"223.255.255.255", "2606:4700::1111", "2a00::1", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1",
	} {
		check.Equal(t, "PublicAddress of "+s, core.PublicAddress(netip.MustParseAddr(s)), true)
	}
	check.Equal(t, "PublicAddress of no address", core.PublicAddress(netip.Addr{}), false)
}

func TestEventRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address           string
		want, wantAllowed bool // by default, and with AllowLoopback
	}{
		{"1.1.1.1:443", true, true},
		{"1.1.1.1:80", false, false},
		{"1.1.1.1:22", false, false},
		{"127.0.0.1:443", false, true},
		{"127.0.0.1:8080", false, true},
		{"[::1]:9", false, true},
		{"[::ffff:127.0.0.1]:9", false, true},
		{"10.0.0.1:443", false, false},
		{"[2606:4700::1111]:443", true, true},
	} {
		a := netip.MustParseAddrPort(c.address)
		check.Equal(t, "May("+c.address+")", core.EventRules{}.May(a), c.want)
		allowed := core.EventRules{AllowLoopback: true}
		check.Equal(t, "May("+c.address+") with AllowLoopback", allowed.May(a), c.wantAllowed)
	}
}

func TestNetworkOf(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.1": "192.0.2.1/32", "::ffff:192.0.2.1": "192.0.2.1/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := core.NetworkOf(netip.MustParseAddr(addr)).String(); got != want {
			t.Errorf("network of %s: got %s, want %s", addr, got, want)
		}
	}
}
