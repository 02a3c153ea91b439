package faults

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/cluster"
)

// feeds reads the whole feeds of the first and the last follower at a node that lives, as their browsers do. It returns
// rows of the follower's address, the place in the feed, and the id.
func (i *installation) feeds() (rows [][]any) {
	i.t.Helper()
	followers := i.Count("select count(*) from subscribers where name like 'follower-%'")
	for _, n := range i.Nodes {
		if n.Check("/readyz") != http.StatusOK || followers == 0 {
			continue
		}
		for _, address := range []string{"follower-1", fmt.Sprint("follower-", followers)} {
			for place, id := range i.feed(n, address) {
				rows = append(rows, []any{address, place, optionalID(id)})
			}
		}
		return rows
	}
	return nil
}

// feed signs a follower in and returns the ids of their feed.
func (i *installation) feed(n *cluster.Node, address string) (ids []string) {
	i.t.Helper()
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	secret := base64.RawURLEncoding.EncodeToString(random[:])
	i.Exec(`
		insert into sessions (id, secret_hash, subscriber_id, created_at, seen_at)
		select gen_random_uuid(), $1, id, now(), now() from subscribers where name = $2`,
		core.HashSecret(secret), address)
	for cursor := ""; ; {
		query := url.Values{"limit": {"100"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page struct {
			Data []struct{ ID string }
			Meta struct{ NextCursor *string }
		}
		i.getJSON(n, "/api/v1/subscribers/notifications?"+query.Encode(), "__Host-sininho="+secret, &page)
		for _, d := range page.Data {
			ids = append(ids, d.ID)
		}
		if page.Meta.NextCursor == nil || *page.Meta.NextCursor == "" {
			return ids
		}
		cursor = *page.Meta.NextCursor
	}
}

// getJSON reads from a node with a cookie.
func (i *installation) getJSON(n *cluster.Node, path, cookie string, into any) {
	i.t.Helper()
	req, err := http.NewRequestWithContext(i.t.Context(), http.MethodGet, "http://"+n.Addr+path, nil)
	if err != nil {
		i.t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Cookie", cookie)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatalf("request %s: %v", path, err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != http.StatusOK {
		i.t.Fatalf("request %s: got %s, %v; want 200 with JSON", path, res.Status, err)
	}
}
