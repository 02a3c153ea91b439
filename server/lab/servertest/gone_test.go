package servertest_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// deletions are the operations after which a path names nothing any more. Those that may be repeated without an error
// are true.
var deletions = map[string]bool{
	"deleteCategory": false, "deletePublisher": false, "removeMember": false, "withdrawMembershipInvitation": true,
	"revokeApiKey": true, "deleteEventEndpoint": false, "deleteChannel": false, "withdrawNotification": true,
	"deleteWebhook": false, "revokeAccessToken": true, "endSession": false, "removeDevice": true, "leaveWaitlist": false,
}

// gone uses everything below a path after its deletion.
func (g *generator) gone(id string, deletion probe) {
	g.f.t.Helper()
	repeatable, ok := deletions[id]
	if !ok {
		return
	}
	deleted := g.operations[id]
	for _, otherID := range slices.Sorted(maps.Keys(g.operations)) {
		op := g.operations[otherID]
		if op.path != deleted.path && !strings.HasPrefix(op.path, deleted.path+"/") {
			continue
		}
		p := deletion.clone("after "+id, http.StatusNotFound)
		if p.id, p.method = otherID, op.method; otherID == id && repeatable {
			p.statuses = append(p.statuses, http.StatusNoContent)
		}
		if otherID == "getDeliveries" {
			p.statuses = append(p.statuses, http.StatusOK) // what became of its pushes stays known
		}
		path, _, _ := strings.Cut(deletion.path, "?")
		p.path = path + strings.NewReplacer("{id}", nowhere, "{deliveryId}", nowhere, "{eventId}", "e",
			"{channelSlug}", "c").Replace(strings.TrimPrefix(op.path, deleted.path))
		switch p.body = nil; {
		case op.body() != nil:
			p.setBody(g.f.t, g.body(otherID, op.body(), op.body().Example, false))
		case op.takesPicture():
			p.setBody(g.f.t, pngFile)
		}
		p.header.Del("If-Match")
		g.try(p)
	}
}

const nowhere = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
