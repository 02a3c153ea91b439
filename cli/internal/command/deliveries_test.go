package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// While devices are still being found, their number so far is not shown as the total.
func TestDeliveriesWaitShowsNoTotalBeforeItIsKnown(t *testing.T) {
	const numbers = `{"targeted":%d,"pending":%d,"accepted":%d,"suppressed":{},"failed":{},"expired":{},` +
		`"displayed":0,"opened":0,"finished":%t,"publishedBy":{"kind":"key","name":"CI"}}`
	steps := []string{
		fmt.Sprintf(numbers, 0, 0, 0, false), fmt.Sprintf(numbers, 500, 200, 300, false),
		fmt.Sprintf(numbers, 800, 200, 600, false), fmt.Sprintf(numbers, 1000, 0, 1000, true),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, steps[0])
		steps = steps[1:]
	}))
	defer server.Close()
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": anAPIKey}[name]
	}
	const id = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
	code, stdout, stderr := run(t, env, "", "deliveries", "demo/novidades", id, "--wait")
	checkCode(t, "deliveries --wait", code, exitDone, stderr)
	const want = "0 devices found so far, 0 of them pending\n" +
		"500 devices found so far, 200 of them pending\n" +
		"800 devices found so far, 200 of them pending\n"
	if stderr != want {
		t.Errorf("stderr of deliveries --wait:\ngot  %q\nwant %q", stderr, want)
	}
	checkContains(t, "stdout of deliveries --wait", stdout, "published by:  key CI\ntargeted:      1000\n")
}
