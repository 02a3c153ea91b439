package production

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/sininho/sininho/internal/eventually"
)

// prometheus scrapes the servers.
type prometheus struct {
	i       *installation
	address string
}

func (i *installation) startPrometheus() *prometheus {
	i.t.Helper()
	dir, addr := i.t.TempDir(), freeAddr(i.t)
	var targets []string
	for _, n := range i.nodes {
		targets = append(targets, n.metrics)
	}
	config := filepath.Join(dir, "prometheus.yml")
	i.write(config, fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: sininho\n    static_configs:\n      - targets: [%s]\n",
		strings.Join(targets, ", ")))
	started := start(i.t, nil, dir, "prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+addr)
	started.waitFor(http.DefaultClient, "http://"+addr+"/-/ready")
	return &prometheus{i, "http://" + addr}
}

// waitFor waits until a query returns a number of series.
func (p *prometheus) waitFor(query string, series int) {
	p.i.t.Helper()
	eventually.True(p.i.t, query+" to have results", func() bool {
		req, err := http.NewRequestWithContext(p.i.t.Context(), http.MethodGet,
			p.address+"/api/v1/query?query="+url.QueryEscape(query), http.NoBody)
		if err != nil {
			return false
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		defer res.Body.Close()
		var got struct{ Data struct{ Result []any } }
		return json.NewDecoder(res.Body).Decode(&got) == nil && len(got.Data.Result) == series
	})
}
