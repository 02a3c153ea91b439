package ntfy

import (
	"net/http"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/compat"
)

// Config holds what the server needs.
type Config struct {
	API       compat.API
	PublicURL string
	Now       func() time.Time
}

type server struct {
	Config
	mux *http.ServeMux
}

// Beside returns a handler of ntfy's requests, which leaves all others to next.
func Beside(next http.Handler, c Config) http.Handler {
	s := &server{Config: c, mux: http.NewServeMux()}
	s.mux.Handle("POST /{$}", s.handler(s.publishJSON))
	s.mux.Handle("PUT /{$}", s.handler(s.publishJSON))
	s.mux.Handle("GET /v1/health", s.handler(s.health))
	s.mux.Handle("GET /v1/account", s.handler(s.account))
	s.mux.Handle("GET /v1/config", s.handler(s.config))
	for _, method := range []string{"POST", "PUT"} {
		s.mux.Handle(method+" /{topic}", s.handler(s.publish))
		s.mux.Handle(method+" /{topic}/{sequence}", s.handler(s.publish))
		s.mux.Handle(method+" /{topic}/{sequence}/clear", s.handler(s.clear))
		s.mux.Handle(method+" /{topic}/{sequence}/read", s.handler(s.clear))
	}
	s.mux.Handle("DELETE /{topic}/{sequence}", s.handler(s.withdraw))
	s.mux.Handle("GET /{topic}", s.handler(s.channelPage))
	for _, name := range []string{"publish", "send", "trigger"} {
		s.mux.Handle("GET /{topic}/"+name, s.handler(s.publish))
	}
	s.mux.Handle("GET /{topics}/json", s.handler(s.subscribe(jsonLines)))
	s.mux.Handle("GET /{topics}/sse", s.handler(s.subscribe(serverSentEvents)))
	s.mux.Handle("GET /{topics}/raw", s.handler(s.subscribe(rawLines)))
	s.mux.Handle("GET /{topics}/ws", s.handler(s.subscribeBySocket))
	s.mux.Handle("GET /{topics}/auth", s.handler(s.mayRead))
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { write(w, errNotFound) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !speaks(r) {
			next.ServeHTTP(w, r)
			return
		}
		s.serve(w, r)
	})
}

// speaks reports whether a request is one of ntfy: no other path at the root has an underscore in its first segment.
func speaks(r *http.Request) bool {
	switch r.URL.Path {
	case "/":
		return r.Method == http.MethodPost || r.Method == http.MethodPut
	case "/v1/health", "/v1/account", "/v1/config":
		return true
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return isTopics(first) && strings.Count(rest, "/") < 2
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	// any page may use the protocol: it knows no cookies
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, PUT, POST, PATCH, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", "*, Authorization")
		return
	}
	s.mux.ServeHTTP(w, r)
}

// handler returns a handler that responds with the error of h, after it has taken the credential from where ntfy's
// clients put it.
func (s *server) handler(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := authorize(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			write(w, explain(r, err))
		}
	})
}

// health says that the server is there, as ntfy's apps ask before they use it.
func (s *server) health(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, map[string]bool{"healthy": true})
}

// config is what ntfy's web app asks for.
func (s *server) config(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, map[string]any{"base_url": s.PublicURL, "app_root": "/", "enable_login": false,
		"enable_signup": false, "enable_payments": false, "enable_calls": false, "enable_emails": false,
		"enable_reservations": false, "enable_web_push": false, "disallowed_topics": []string{}})
}

// channelPage leads people to the channel's page.
func (s *server) channelPage(w http.ResponseWriter, r *http.Request) error {
	t, err := parseTopic(r.PathValue("topic"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/channels/"+t.publisher+"/"+t.channel, http.StatusFound)
	return nil
}
