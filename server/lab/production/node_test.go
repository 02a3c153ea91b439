package production

import (
	"net/http"
)

// node is one server of an installation. It keeps its addresses when it is replaced.
type node struct {
	*process
	i             *installation
	addr, metrics string
}

// startNode starts a server with a binary and waits until it is ready.
func (i *installation) startNode(binary string) *node {
	i.t.Helper()
	n := &node{i: i, addr: freeAddr(i.t), metrics: freeAddr(i.t)}
	i.nodes = append(i.nodes, n)
	n.start(binary)
	return n
}

func (n *node) start(binary string) {
	n.i.t.Helper()
	n.process = start(n.i.t, append(n.i.environment(), "LISTEN_ADDR="+n.addr, "METRICS_ADDR="+n.metrics), n.i.folder, binary, "serve")
	n.waitFor(http.DefaultClient, "http://"+n.addr+"/readyz")
}

// replace stops a server and starts another one in its place.
func (n *node) replace(binary string) {
	n.i.t.Helper()
	if status := n.stop(); status != 0 {
		n.i.t.Errorf("server that is replaced: got exit status %d, want 0", status)
	}
	n.start(binary)
}
