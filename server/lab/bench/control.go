package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"runtime/debug"
	"time"
)

// control lets the parent look into a process, on an address of its own: its goroutines, its profiles, and its memory
// after a collection.
func control() (url string, err error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /goroutines", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(runtime.NumGoroutine())
	})
	mux.HandleFunc("POST /settle", func(w http.ResponseWriter, _ *http.Request) {
		debug.FreeOSMemory()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	go func() { _ = (&http.Server{Handler: mux, ReadHeaderTimeout: time.Second}).Serve(l) }()
	return "http://" + l.Addr().String(), nil
}

// goroutines returns the number of goroutines of the process with this control address.
func goroutines(ctx context.Context, control string) (n int, err error) {
	err = fetch(ctx, http.MethodGet, control+"/goroutines", &n)
	return n, err
}

// settle collects the garbage of a process and gives free memory back.
func settle(ctx context.Context, control string) error {
	return fetch(ctx, http.MethodPost, control+"/settle", nil)
}

var fetching = &http.Client{Transport: &http.Transport{TLSClientConfig: trusting()}}

// fetch sends a request outside of any measurement, and decodes the response into out unless it is nil.
func fetch(ctx context.Context, method, url string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err
	}
	res, err := fetching.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, url, res.Status)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}
