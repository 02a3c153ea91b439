package servertest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// callers lists the kinds of callers, in the order of the columns below. The publisher is the one that the request
// concerns.
var callers = strings.Fields(`visitor subscriber owner editor other-owner key:publish key:channels key:read other-key
	expired-key revoked-key ended-session owner's-token operator anonymous`)

// The status that each kind of caller receives; + is the operation's success status.
const (
	//           vis sub own edi oth pub cha rea oky exp rev end tok opr ano
	anyone         = `+   +   +   +   +   +   +   +   +   401 401 +   +   +   +  `
	uncredentialed = `+   +   +   +   +   +   +   +   +   +   +   +   +   +   +  ` // ignores credentials
	people         = `401 +   +   +   +   403 403 403 403 401 401 401 +   +   +  `
	accounts       = `401 +   +   +   +   403 403 403 403 401 401 401 +   +   403` // who have one
	browsers       = `401 +   +   +   +   403 403 403 403 401 401 401 403 +   +  `
	ownBrowsers    = `401 +   +   +   +   403 403 403 403 401 401 401 403 +   403` // with an account
	oneself        = `401 404 +   404 404 403 403 403 403 401 401 401 +   404 404` // only the owner in person
	holder         = `401 404 +   404 404 403 403 403 403 401 401 401 +   404 403` // likewise, of what only an account has
	operators      = `401 403 403 403 403 403 403 403 403 401 401 401 403 +   403`
	operatorsOf    = `401 403 403 403 403 403 403 403 404 401 401 401 403 +   403` // another publisher's key is a stranger
	peopleOf       = `401 +   +   +   +   403 403 403 404 401 401 401 +   +   403`
	owners         = `401 404 +   403 404 403 403 403 404 401 401 401 +   404 403`
	members        = `401 404 +   +   404 403 403 403 404 401 401 401 +   404 403`
	publish        = `401 404 +   +   404 +   403 403 404 401 401 401 +   404 403`
	channels       = `401 404 +   +   404 403 +   403 404 401 401 401 +   404 403`
	hooks          = `401 404 +   +   404 403 403 403 404 401 401 401 +   404 403` // an API key needs two scopes
	ownDraft       = `401 404 +   404 404 403 403 403 404 401 401 401 +   404 403` // the owner's alone
	reading        = `401 404 +   +   404 403 403 +   404 401 401 401 +   404 403`
)

// request is a request by one of the callers. It is created for each caller, because some requests succeed only once.
type request struct {
	path string
	body any
}

type row struct {
	success int
	who     string
	make    func(f *fixture) request
}

func at(path string) func(*fixture) request {
	return func(*fixture) request { return request{path: path} }
}

// table has a row for each operation of the contracts, by its id.
var table = map[string]row{
	"getAuth":              {200, anyone, at("/auth")},
	"signInAnonymously":    {204, `+ + + + + 403 403 403 403 401 401 + 403 + +`, at("/auth/anonymous")},
	"signInWithGoogle":     {302, uncredentialed, at("/auth/google")},
	"finishGoogleSignIn":   {302, uncredentialed, at("/auth/google/callback")},
	"signInWithProvider":   {302, uncredentialed, at("/auth/oidc/acme")},
	"finishProviderSignIn": {302, uncredentialed, at("/auth/oidc/acme/callback")},
	"beginEmailSignIn": {204, uncredentialed, func(f *fixture) request {
		return request{"/auth/email", object{"email": f.slug() + "@example.com"}}
	}},
	"finishEmailSignIn": { // the browser has asked for no code
		404, uncredentialed, func(*fixture) request { return request{"/auth/email/code", object{"code": "1234 5678"}} },
	},
	"beginPasskeySignIn": {200, uncredentialed, func(*fixture) request {
		return request{"/auth/passkeys/challenge", object{}}
	}},
	"finishPasskeySignIn": { // not even the form of an answer
		422, uncredentialed, func(*fixture) request {
			return request{"/auth/passkeys", object{"credential": object{"id": "x"}}}
		},
	},
	"beginPasskeySignUp": {200, uncredentialed, func(*fixture) request {
		return request{"/auth/passkeys/sign-up/challenge", object{"name": "Ana"}}
	}},
	"finishPasskeySignUp": {
		422, uncredentialed, func(*fixture) request {
			return request{"/auth/passkeys/sign-up", object{"credential": object{"id": "x"}}}
		},
	},
	"beginDeviceSignIn": {200, uncredentialed, func(*fixture) request { return request{"/auth/device", object{}} }},
	"getDeviceSignIn": {
		200, ownBrowsers, func(f *fixture) request { return request{path: "/auth/device?userCode=" + f.deviceSignIn()} },
	},
	"approveDeviceSignIn": {204, ownBrowsers, func(f *fixture) request {
		return request{"/auth/device/approve", object{"userCode": f.deviceSignIn(), "approve": true}}
	}},
	"takeDeviceToken": {
		400, uncredentialed, func(*fixture) request {
			return request{"/auth/device/token", object{"deviceCode": "unknown"}}
		},
	},
	"takeDeviceSession": {
		400, uncredentialed, func(*fixture) request {
			return request{"/auth/device/session", object{"deviceCode": "unknown"}}
		},
	},
	"signOut": {204, `+ + + + + 403 403 403 403 401 401 + + + +`, at("/auth")},

	"listCategories": {200, anyone, at("/categories")},
	"getCategory":    {200, anyone, func(f *fixture) request { return request{path: "/categories/" + f.category} }},
	"createCategory": {
		201, operators, func(f *fixture) request {
			return request{"/categories", object{"slug": f.slug(), "name": "C"}}
		},
	},
	"updateCategory": {
		200, operators, func(f *fixture) request {
			return request{"/categories/" + f.newCategory(), object{"name": "D"}}
		},
	},
	"deleteCategory": {
		204, operators, func(f *fixture) request { return request{path: "/categories/" + f.newCategory()} },
	},

	"listPublishers": {200, anyone, at("/publishers")},
	"createPublisher": {
		201, accounts, func(f *fixture) request { return request{"/publishers", object{"slug": f.slug(), "name": "P"}} },
	},
	"getPublisher":        {200, anyone, at("/publishers/p")},
	"getPublisherStorage": {200, `401 404 +   +   404 403 403 +   404 401 401 401 +   + 403`, at("/publishers/p/storage")},
	"updatePublisher": {
		200,
		owners,
		func(*fixture) request { return request{"/publishers/p", object{"name": "P"}} },
	},
	"deletePublisher": {
		204, `401 404 + 404 404 404 404 404 404 401 401 401 + 404 403`,
		func(f *fixture) request { return request{path: "/publishers/" + f.newPublisher()} },
	},
	"listMembers": {200, members, at("/publishers/p/members")},
	"addMember": {200, owners, func(*fixture) request {
		return request{"/publishers/p/members", object{"email": "editor@example.com", "role": "editor"}}
	}},
	"updateMember": {200, owners, func(f *fixture) request {
		return request{"/publishers/p/members/" + f.newMember(), object{"role": "editor"}}
	}},
	"removeMember": {
		204, owners, func(f *fixture) request { return request{path: "/publishers/p/members/" + f.newMember()} },
	},
	"listMembershipInvitations": {200, owners, at("/publishers/p/invitations")},
	"createMembershipInvitation": {201, owners, func(f *fixture) request {
		return request{"/publishers/p/invitations", object{"email": f.slug() + "@example.com", "role": "editor"}}
	}},
	"withdrawMembershipInvitation": {204, owners, func(f *fixture) request {
		invitation := f.do("/publishers/p/invitations",
			object{"email": f.slug() + "@example.com", "role": "editor"}, 201)
		return request{path: "/publishers/p/invitations/" + invitation.ID}
	}},
	"listChannelMembers": {200, channels, func(f *fixture) request {
		return request{path: "/channels/p/" + f.private() + "/members"}
	}},
	"approveChannelMember": {200, channels, func(f *fixture) request {
		return request{path: f.newChannelMember(object{"approval": true}) + "/approve"}
	}},
	"removeChannelMember": {204, channels, func(f *fixture) request {
		return request{path: f.newChannelMember(object{})}
	}},
	"listChannelInvitations": {200, channels, func(f *fixture) request {
		return request{path: "/channels/p/" + f.private() + "/invitations"}
	}},
	"createChannelInvitation": {201, channels, func(f *fixture) request {
		return request{"/channels/p/" + f.private() + "/invitations", object{"maxUses": 3}}
	}},
	"revokeChannelInvitation": {204, channels, func(f *fixture) request {
		path := "/channels/p/" + f.private() + "/invitations"
		return request{path: path + "/" + f.do(path, object{}, 201).ID}
	}},
	"showChannelInvitation": {200, anyone, func(f *fixture) request {
		invitation := f.do("/channels/p/"+f.private()+"/invitations", object{}, 201)
		return request{"/channel-invitations/show", object{"secret": invitation.Secret}}
	}},
	"acceptChannelInvitation": {200, accounts, func(f *fixture) request {
		invitation := f.do("/channels/p/"+f.private()+"/invitations", object{}, 201)
		return request{"/channel-invitations/accept", object{"secret": invitation.Secret}}
	}},
	"uploadPicture": {201, publish, func(*fixture) request {
		return request{"/publishers/p/pictures", pngFile}
	}},
	"listApiKeys": {200, members, at("/publishers/p/api-keys")},
	"createApiKey": {201, owners, func(*fixture) request {
		return request{"/publishers/p/api-keys", object{"name": "K", "scopes": []string{"read"}}}
	}},
	"revokeApiKey": {
		204, owners, func(f *fixture) request { return request{path: "/publishers/p/api-keys/" + f.newKey("read").ID} },
	},
	"listEventEndpoints": {200, members, at("/publishers/p/event-endpoints")},
	"createEventEndpoint": {201, owners, func(f *fixture) request {
		f.clearEndpoints()
		return request{"/publishers/p/event-endpoints", object{"name": "E", "url": "https://example.com/"}}
	}},
	"getEventEndpoint":    {200, members, func(f *fixture) request { return request{path: f.endpoint} }},
	"updateEventEndpoint": {200, owners, func(f *fixture) request { return request{f.endpoint, object{"name": "E"}} }},
	"deleteEventEndpoint": {204, owners, func(f *fixture) request { return request{path: f.newEndpoint()} }},
	"rotateEventEndpoint": {200, owners, func(f *fixture) request { return request{path: f.endpoint + "/rotate"} }},
	"challengeEventEndpoint": {
		200, owners, func(f *fixture) request { return request{path: f.endpoint + "/challenge"} },
	},
	"confirmEventEndpoint": {200, owners, func(f *fixture) request {
		return request{f.endpoint + "/confirm", object{"challenge": "x"}} // it is confirmed, so any will do
	}},
	"testEventEndpoint": {202, members, func(f *fixture) request { return request{path: f.endpoint + "/test"} }},
	"listEventDeliveries": {
		200, members, func(f *fixture) request { return request{path: f.endpoint + "/deliveries"} },
	},
	"getEventDelivery": {
		200, members, func(f *fixture) request { return request{path: f.endpoint + "/deliveries/" + f.eventDelivery} },
	},
	"resendEventDelivery": {202, members, func(f *fixture) request {
		return request{path: f.endpoint + "/deliveries/" + f.eventDelivery + "/resend"}
	}},
	"rotateApiKey": {201, owners, func(f *fixture) request {
		return request{"/publishers/p/api-keys/" + f.newKey("read").ID + "/rotate", object{}}
	}},

	"listChannels": {200, anyone, at("/channels?publisher=p")},
	"createChannel": {201, channels, func(f *fixture) request {
		return request{
			"/channels", object{"publisherSlug": "p", "slug": f.slug(), "name": "C", "categoryId": f.category},
		}
	}},
	"getChannel":          {200, anyone, at("/channels/p/c")},
	"getChannelFollowers": {200, anyone, at("/channels/p/c/followers")},
	"updateChannel": {
		200, channels, func(*fixture) request { return request{"/channels/p/c", object{"name": "C"}} },
	},
	"deleteChannel": {
		204, channels, func(f *fixture) request { return request{path: "/channels/p/" + f.newChannel()} },
	},
	"listNotifications": {200, anyone, at("/channels/p/c/notifications")},
	"publishNotification": {201, publish, func(*fixture) request {
		return request{"/channels/p/c/notifications", object{"title": "T"}}
	}},
	"publishNotifications": {200, publish, func(*fixture) request {
		return request{"/channels/p/c/notifications/batch", object{"notifications": []object{{"title": "T"}}}}
	}},
	"streamChannel": {200, anyone, at("/channels/p/c/notifications/stream")},
	"getNotification": {
		200, anyone, func(f *fixture) request { return request{path: "/channels/p/c/notifications/" + f.notification} },
	},
	"correctNotification": {200, publish, func(f *fixture) request {
		return request{"/channels/p/c/notifications/" + f.notification, object{"title": "T"}}
	}},
	"withdrawNotification": {
		204, publish, func(f *fixture) request {
			return request{path: "/channels/p/c/notifications/" + f.newNotification()}
		},
	},
	"getChannelDeliveries": {200, reading, at("/channels/p/c/deliveries")},
	"getDeliveries": {200, reading, func(f *fixture) request {
		return request{path: "/channels/p/c/notifications/" + f.notification + "/deliveries"}
	}},

	"listDrafts": {200, members, at("/channels/p/c/drafts")},
	"createDraft": {201, members, func(f *fixture) request {
		return request{"/channels/p/" + f.newChannel() + "/drafts", object{"content": object{"title": "T"}}}
	}},
	"getDraft":      {200, ownDraft, func(f *fixture) request { return request{path: f.newDraft()} }},
	"updateDraft":   {200, ownDraft, func(f *fixture) request { return request{f.newDraft(), object{"content": object{}}} }},
	"deleteDraft":   {204, ownDraft, func(f *fixture) request { return request{path: f.newDraft()} }},
	"listTemplates": {200, publish, at("/channels/p/c/templates")},
	"createTemplate": {201, publish, func(f *fixture) request {
		return request{"/channels/p/c/templates", object{"name": f.slug(), "content": object{"title": "T"}}}
	}},
	"getTemplate": {200, publish, func(f *fixture) request { return request{path: f.newTemplate()} }},
	"updateTemplate": {200, publish, func(f *fixture) request {
		return request{f.newTemplate(), object{"content": object{"body": "B"}}}
	}},
	"deleteTemplate": {204, publish, func(f *fixture) request { return request{path: f.newTemplate()} }},

	"listWebhooks": {200, hooks, at("/channels/p/c/webhooks")},
	"createWebhook": {201, hooks, func(f *fixture) request {
		return request{"/channels/p/" + f.newChannel() + "/webhooks", object{"name": "W"}}
	}},
	"getWebhook": {
		200, hooks, func(f *fixture) request { return request{path: "/channels/p/c/webhooks/" + f.webhook.ID} },
	},
	"updateWebhook": {200, hooks, func(f *fixture) request {
		return request{"/channels/p/c/webhooks/" + f.webhook.ID, object{"name": "W"}}
	}},
	"deleteWebhook": {204, hooks, func(f *fixture) request { return request{path: f.newWebhook()} }},
	"rotateWebhook": {
		200, hooks, func(f *fixture) request { return request{f.newWebhook() + "/rotate", object{"what": "secret"}} },
	},
	"listWebhookEvents": {
		200, hooks, func(f *fixture) request {
			return request{path: "/channels/p/c/webhooks/" + f.webhook.ID + "/events"}
		},
	},
	"getWebhookEvent":    {200, hooks, func(f *fixture) request { return request{path: f.event()} }},
	"replayWebhookEvent": {200, hooks, func(f *fixture) request { return request{path: f.event() + "/replay"} }},
	"previewWebhook": {200, hooks, func(*fixture) request {
		return request{"/channels/p/c/webhooks/preview", object{"payload": object{"title": "T"}}}
	}},
	"receiveWebhook": {202, uncredentialed, func(f *fixture) request {
		return request{strings.TrimPrefix(f.webhook.URL, f.URL+"/api/v1"), object{"title": "T"}}
	}},

	"getMe": {200, people, at("/subscribers/me")},
	"updateMe": {
		200, people, func(*fixture) request { return request{"/subscribers/me", object{"locale": "pt"}} },
	},
	"exportMe":         {200, people, at("/subscribers/me/export")},
	"listAccessTokens": {200, accounts, at("/subscribers/access-tokens")},
	"createAccessToken": {
		201, accounts, func(*fixture) request { return request{"/subscribers/access-tokens", object{"name": "T"}} },
	},
	"revokeAccessToken": {
		204, holder, func(f *fixture) request {
			return request{path: "/subscribers/access-tokens/" + f.newToken().ID}
		},
	},
	"listIdentities": {200, accounts, at("/subscribers/identities")},
	"addIdentity": {200, browsers, func(*fixture) request {
		return request{"/subscribers/identities", object{"kind": "google"}}
	}},
	"listPasskeys":       {200, ownBrowsers, at("/subscribers/passkeys")},
	"beginAddingPasskey": {200, ownBrowsers, at("/subscribers/passkeys/challenge")},
	"addPasskey": {
		422, ownBrowsers, func(*fixture) request {
			return request{"/subscribers/passkeys", object{"credential": object{"id": "x"}}}
		},
	},
	"renamePasskey": {
		404, ownBrowsers, func(f *fixture) request {
			return request{"/subscribers/passkeys/" + f.category, object{"name": "N"}}
		},
	},
	"removePasskey": {
		404, ownBrowsers, func(f *fixture) request { return request{path: "/subscribers/passkeys/" + f.category} },
	},
	"removeIdentity": {
		204, `401 404 + 404 404 403 403 403 403 401 401 401 403 404 403`,
		func(f *fixture) request { return request{path: "/subscribers/identities/" + f.newIdentity()} },
	},
	"listSessions":     {200, accounts, at("/subscribers/sessions")},
	"endOtherSessions": {204, accounts, at("/subscribers/sessions")},
	"endSession": {
		204, holder, func(f *fixture) request { return request{path: "/subscribers/sessions/" + f.newSession()} },
	},
	"getOnboarding": {200, people, at("/subscribers/onboarding")},
	"saveOnboarding": {
		200, people, func(*fixture) request { return request{"/subscribers/onboarding", object{"step": "done"}} },
	},
	"renewFeedAddress": {200, people, at("/subscribers/feed-address")},
	// Nobody has one; TestPersonalFeed shows and ends one.
	"getFeedAddress":    {404, people, at("/subscribers/feed-address")},
	"deleteFeedAddress": {404, people, at("/subscribers/feed-address")},
	"listSubscriptions": {200, people, at("/subscribers/channels")},
	"updateSubscription": {200, oneself, func(f *fixture) request {
		return request{"/subscribers/channels/" + f.channel, object{"bell": "all"}}
	}},
	"listMyMembershipInvitations": {200, accounts, at("/subscribers/invitations")},
	"acceptMembershipInvitation": {200, holder, func(f *fixture) request {
		return request{path: "/subscribers/invitations/" + f.newInvitation() + "/accept"}
	}},
	"declineMembershipInvitation": {204, holder, func(f *fixture) request {
		return request{path: "/subscribers/invitations/" + f.newInvitation() + "/decline"}
	}},
	"listFeed": {200, people, at("/subscribers/notifications")},
	"readAll": {
		204, people, func(*fixture) request { return request{"/subscribers/notifications/read-all", object{}} },
	},
	"streamFeed": {200, people, at("/subscribers/notifications/stream")},
	"getFeedNotification": {
		200, oneself, func(f *fixture) request { return request{path: "/subscribers/notifications/" + f.notification} },
	},
	"updateFeedNotification": {200, oneself, func(f *fixture) request {
		return request{"/subscribers/notifications/" + f.notification, object{"read": true}}
	}},
	"recordFeedEvent": {204, oneself, func(f *fixture) request {
		return request{"/subscribers/notifications/" + f.notification + "/events", object{"type": "opened"}}
	}},
	"recordDisplayed": {204, oneself, func(f *fixture) request {
		return request{"/subscribers/notifications/displayed", object{"notificationIds": []string{f.notification}}}
	}},
	"subscribe": {200, people, func(f *fixture) request {
		return request{path: "/subscribers/channels/" + f.otherChannel + "/subscribe"}
	}},
	"unsubscribe": {204, people, func(f *fixture) request {
		return request{path: "/subscribers/channels/" + f.otherChannel + "/unsubscribe"}
	}},
	"listDevices": {200, people, at("/subscribers/devices")},
	"registerDevice": {201, people, func(f *fixture) request {
		slug := f.slug()
		return request{
			"/subscribers/devices", object{
				"installationId": "installation-" + slug, "kind": "token", "address": slug,
				"platform": "web", "name": "D",
			},
		}
	}},
	"renameDevice": {
		200, oneself, func(f *fixture) request {
			return request{"/subscribers/devices/" + f.newDevice(), object{"name": "D"}}
		},
	},
	"removeDevice": {
		204, oneself, func(f *fixture) request { return request{path: "/subscribers/devices/" + f.newDevice()} },
	},
	"testDevice": {
		200, oneself, func(f *fixture) request {
			return request{path: "/subscribers/devices/" + f.newDevice() + "/test"}
		},
	},

	"listAuditLog":    {200, owners, at("/publishers/p/audit-log")},
	"listAllAuditLog": {200, operators, at("/admin/audit-log")},
	"reportChannel": {204, peopleOf, func(*fixture) request {
		return request{"/channels/p/c/report", object{"category": "spam"}}
	}},
	"reportNotification": {204, peopleOf, func(f *fixture) request {
		return request{"/channels/p/c/notifications/" + f.notification + "/report", object{"category": "spam"}}
	}},
	"listReports": {200, operators, at("/admin/reports")},
	"closeReport": {200, operators, func(f *fixture) request {
		return request{"/admin/reports/" + f.newReport(), object{"status": "resolved"}}
	}},
	// The server is open, so nobody can or needs to ask; TestPublisherRequests does.
	"requestPublisher": {409, accounts, func(f *fixture) request {
		return request{"/subscribers/publisher-request", object{"slug": f.slug(), "name": "P"}}
	}},
	"getPublisherRequest":      {404, accounts, at("/subscribers/publisher-request")},
	"withdrawPublisherRequest": {404, accounts, at("/subscribers/publisher-request")},
	"listPublisherRequests":    {200, operators, at("/admin/publisher-requests")},
	"answerPublisherRequest": {200, operators, func(f *fixture) request {
		return request{"/admin/publisher-requests/" + f.newPublisherRequest(f.newPerson()), object{"status": "approved"}}
	}},
	"suspendChannel": {200, operatorsOf, func(f *fixture) request {
		return request{"/admin/channels/p/" + f.newChannel() + "/suspension", object{"reason": "R"}}
	}},
	"unsuspendChannel": {204, operatorsOf, func(f *fixture) request {
		return request{path: f.suspended("/admin/channels/p/" + f.newChannel())}
	}},
	"suspendPublisher": {200, `401 403 403 403 403 404 404 404 404 401 401 401 403 + 403`, func(f *fixture) request {
		return request{"/admin/publishers/" + f.newPublisher() + "/suspension", object{"reason": "R"}}
	}},
	"unsuspendPublisher": {204, `401 403 403 403 403 404 404 404 404 401 401 401 403 + 403`, func(f *fixture) request {
		return request{path: f.suspended("/admin/publishers/" + f.newPublisher())}
	}},
	"setStorageQuota": {200, operatorsOf, func(*fixture) request {
		return request{"/admin/publishers/p/storage-quota", object{"quotaBytes": 1 << 30}}
	}},
	"resetStorageQuota":      {204, operatorsOf, at("/admin/publishers/p/storage-quota")},
	"getInstallationStorage": {200, operators, at("/admin/storage")},
	"suspendSubscriber": {200, operators, func(f *fixture) request {
		return request{"/admin/subscribers/" + f.account(f.newPerson()) + "/suspension", object{"reason": "R"}}
	}},
	"unsuspendSubscriber": {204, operators, func(f *fixture) request {
		return request{path: f.suspended("/admin/subscribers/" + f.account(f.newPerson()))}
	}},
	"listAllChannels":           {200, operators, at("/admin/channels?q=ca")},
	"listAllPublishers":         {200, operators, at("/admin/publishers?q=pu")},
	"getHealth":                 {200, operators, at("/admin/health")},
	"listFailingEventEndpoints": {200, operators, at("/admin/event-endpoints")},
	"listSettings":              {200, operators, at("/admin/settings")},
	"findSubscribers":           {200, operators, at("/admin/subscribers?email=owner@example.com")},
	"withdrawByOperator": {204, operators, func(f *fixture) request {
		return request{"/admin/notifications/" + f.newNotification() + "/withdrawal", object{"reason": "R"}}
	}},

	"joinWaitlist": {202, uncredentialed, func(f *fixture) request {
		return request{"/waitlist/entries", object{"email": f.slug() + "@example.com"}}
	}},
	"getWaitlistEntry": {
		200, uncredentialed, func(f *fixture) request { return request{path: "/waitlist/entries/" + f.newEntry()} },
	},
	"confirmWaitlistEntry": {
		200, uncredentialed, func(f *fixture) request {
			return request{path: "/waitlist/entries/" + f.newEntry() + "/confirm"}
		},
	},
	"leaveWaitlist": {
		204, uncredentialed, func(f *fixture) request { return request{path: "/waitlist/entries/" + f.newEntry()} },
	},
	"listWaitlistEntries": {200, operators, at("/waitlist/entries")},
	"exportWaitlist":      {200, operators, at("/waitlist/entries/export")},
	"inviteFromWaitlist": {
		200, operators, func(*fixture) request {
			return request{"/waitlist/invitations", object{"emails": []string{"invited@example.com"}}}
		},
	},

	"deleteMe": {204, `401 + 409 + 409 403 403 403 403 401 401 401 409 + +`, at("/subscribers/me")},
}

// tokenScopes are the scopes that access tokens need, with the operations that need them; "any" is one of them. A token
// without the scope gets a 403, whatever the operation is about.
var tokenScopes = map[string]string{
	"any": `getAuth signOut listCategories getCategory listPublishers getPublisher listChannels getChannel
		getChannelFollowers listNotifications streamChannel getNotification showChannelInvitation`,
	"read": `listMembers listMembershipInvitations listMyMembershipInvitations listApiKeys listEventEndpoints
		getEventEndpoint listEventDeliveries getEventDelivery getDeliveries getChannelDeliveries getMe exportMe
		listAccessTokens listSessions listIdentities getOnboarding listSubscriptions listFeed streamFeed
		getFeedNotification getFeedAddress
		listDevices listWaitlistEntries exportWaitlist listAuditLog findSubscribers listReports listAllAuditLog
		getPublisherRequest listPublisherRequests
		getPublisherStorage getInstallationStorage listAllChannels listAllPublishers getHealth listFailingEventEndpoints listSettings`,
	"publish": `publishNotification publishNotifications correctNotification withdrawNotification uploadPicture
		listDrafts createDraft getDraft updateDraft deleteDraft
		listTemplates createTemplate getTemplate updateTemplate deleteTemplate`,
	"manage": `reportChannel reportNotification suspendChannel unsuspendChannel suspendPublisher unsuspendPublisher
		setStorageQuota resetStorageQuota suspendSubscriber unsuspendSubscriber withdrawByOperator closeReport
		requestPublisher withdrawPublisherRequest answerPublisherRequest
		createCategory updateCategory
		deleteCategory createPublisher updatePublisher deletePublisher addMember updateMember removeMember
		createApiKey revokeApiKey rotateApiKey createEventEndpoint updateEventEndpoint
		createMembershipInvitation withdrawMembershipInvitation acceptMembershipInvitation
		declineMembershipInvitation deleteEventEndpoint challengeEventEndpoint confirmEventEndpoint
		rotateEventEndpoint testEventEndpoint resendEventDelivery createChannel updateChannel deleteChannel
		listChannelMembers approveChannelMember removeChannelMember listChannelInvitations createChannelInvitation
		revokeChannelInvitation acceptChannelInvitation
		listWebhooks createWebhook previewWebhook getWebhook updateWebhook deleteWebhook rotateWebhook
		listWebhookEvents getWebhookEvent replayWebhookEvent updateMe deleteMe createAccessToken revokeAccessToken
		endSession
		endOtherSessions saveOnboarding renewFeedAddress deleteFeedAddress
		updateSubscription subscribe unsubscribe readAll updateFeedNotification
		recordFeedEvent recordDisplayed registerDevice renameDevice removeDevice testDevice inviteFromWaitlist`,
}

// scopeOf returns the scope that an access token needs for an operation, or "" if no token may call it.
func scopeOf(operation string) string {
	for scope, operations := range tokenScopes {
		if slices.Contains(strings.Fields(operations), operation) {
			return scope
		}
	}
	return ""
}

type credential struct{ ID, Secret string }

// fixture is a server with a publisher p, whose owner follows its channel p/c, and another publisher q.
type fixture struct {
	*servertest.Server
	t                                             *testing.T
	owner, operator                               *servertest.Subscriber
	category, channel, otherChannel, notification string
	webhook                                       struct{ ID, URL string }
	endpoint, eventDelivery                       string                         // a path and an id
	sign                                          map[string]func(*http.Request) // as each of the callers
	made                                          int
}

func newFixture(t *testing.T, options ...servertest.Option) *fixture {
	t.Helper()
	many := servertest.With("LIMIT_PUBLISHERS_PER_SUBSCRIBER", "1000") // several for each operation about them
	return newFixtureOn(t, servertest.Start(t, append([]servertest.Option{many, servertest.Passkeys()}, options...)...))
}

func newFixtureOn(t *testing.T, s *servertest.Server) *fixture {
	t.Helper()
	f := &fixture{
		Server: s, t: t, sign: map[string]func(*http.Request){"visitor": func(*http.Request) {}},
	}
	people := map[string]*servertest.Subscriber{}
	for _, name := range []string{"subscriber", "owner", "editor", "other-owner", "ended-session"} {
		people[name] = f.SignIn(t, name+"@example.com")
		f.sign[name] = people[name].Sign
	}
	f.owner, f.operator = people["owner"], f.SignIn(t, servertest.Operator)
	f.sign["operator"] = f.operator.Sign
	f.sign["anonymous"] = f.SignInAnonymously(t).Sign
	people["ended-session"].Do(http.MethodDelete, "/auth", nil, 204, nil)
	var list struct{ Data []struct{ ID string } }
	f.owner.Do(http.MethodGet, "/categories", nil, 200, &list)
	f.category = list.Data[0].ID
	f.owner.Do(http.MethodPost, "/publishers", object{"slug": "p", "name": "P"}, 201, nil)
	f.owner.Admit("p", people["editor"], "editor")
	people["other-owner"].Do(http.MethodPost, "/publishers", object{"slug": "q", "name": "Q"}, 201, nil)
	f.channel, f.otherChannel = f.create(f.owner, "p", "c"), f.create(people["other-owner"], "q", "c")
	f.owner.Follow("p/c")
	f.notification = f.newNotification()
	f.owner.Do(http.MethodPost, "/channels/p/c/webhooks", object{"name": "W", "signed": false}, 201, &f.webhook)
	f.endpoint = f.newConfirmedEndpoint()
	f.eventDelivery = f.do(f.endpoint+"/test", nil, 202).ID
	for _, scope := range []string{"publish", "channels", "read"} {
		f.sign["key:"+scope] = bearer(f.newKey(scope))
	}
	var foreign credential
	people["other-owner"].Do(http.MethodPost, "/publishers/q/api-keys",
		object{"name": "K", "scopes": []string{"publish", "channels", "read"}}, 201, &foreign)
	expired, revoked := f.newKey("publish", "channels", "read"), f.newKey("publish", "channels", "read")
	f.expire(expired.ID)
	f.owner.Do(http.MethodDelete, "/publishers/p/api-keys/"+revoked.ID, nil, 204, nil)
	f.sign["other-key"] = bearer(foreign)
	f.sign["expired-key"] = bearer(expired)
	f.sign["revoked-key"] = bearer(revoked)
	f.sign["owner's-token"] = bearer(f.newToken())
	for _, scope := range []string{"read", "publish"} {
		f.sign["token:"+scope] = bearer(f.narrowToken(scope))
	}
	return f
}

func bearer(c credential) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+c.Secret) }
}

func (f *fixture) slug() string {
	f.made++
	return fmt.Sprintf("made-%d", f.made)
}

// do creates something as the owner.
func (f *fixture) do(path string, body object, status int) (made credential) {
	f.t.Helper()
	var out any
	if status != http.StatusNoContent {
		out = &made
	}
	f.owner.Do(http.MethodPost, path, body, status, out)
	return made
}

func (f *fixture) create(owner *servertest.Subscriber, publisher, slug string) string {
	f.t.Helper()
	var made credential
	owner.Do(http.MethodPost, "/channels",
		object{"publisherSlug": publisher, "slug": slug, "name": "C", "categoryId": f.category}, 201, &made)
	return made.ID
}

func (f *fixture) expire(key string) {
	f.t.Helper()
	execute(f.t, f.Server, "update api_keys set expires_at = now() - interval '1 second' where id = $1", key)
}

func (f *fixture) newKey(scopes ...string) credential {
	return f.do("/publishers/p/api-keys", object{"name": "K", "scopes": scopes}, 201)
}

func (f *fixture) newToken() credential {
	return f.do("/subscribers/access-tokens", object{"name": "T"}, 201)
}

// narrowToken creates an access token of the owner with one scope.
func (f *fixture) narrowToken(scope string) credential {
	return f.do("/subscribers/access-tokens", object{"name": "T", "scopes": []string{scope}}, 201)
}

// newSession signs the owner in in another browser, and returns the id of the session.
func (f *fixture) newSession() string {
	f.SignIn(f.t, "owner@example.com")
	var list struct{ Data []struct{ ID string } }
	f.owner.Do(http.MethodGet, "/subscribers/sessions?limit=1", nil, 200, &list)
	return list.Data[0].ID
}

// newIdentity adds an identity to the owner, as a provider would.
func (f *fixture) newIdentity() string {
	id := uuid.NewString()
	execute(f.t, f.Server, `insert into identities (id, subscriber_id, issuer, subject, email, created_at)
		select $1, id, 'email', $2, $2, now() from subscribers where email = 'owner@example.com'`, id, f.slug())
	return id
}

func (f *fixture) newNotification() string {
	return f.do("/channels/p/c/notifications", object{"title": "T"}, 201).ID
}

// newDraft saves a draft of the owner and returns its path. It is the only one, because their number is limited.
func (f *fixture) newDraft() string {
	execute(f.t, f.Server, "delete from drafts where name is null")
	return "/channels/p/c/drafts/" + f.do("/channels/p/c/drafts", object{"content": object{"title": "T"}}, 201).ID
}

func (f *fixture) newTemplate() string {
	execute(f.t, f.Server, "delete from drafts where name is not null")
	return "/channels/p/c/templates/" +
		f.do("/channels/p/c/templates", object{"name": f.slug(), "content": object{"title": "T"}}, 201).ID
}

func (f *fixture) newWebhook() string {
	return "/channels/p/c/webhooks/" + f.do("/channels/"+"p/c/webhooks", object{"name": "W"}, 201).ID
}

// newEndpoint creates an event endpoint that cannot be reached.
func (f *fixture) newEndpoint() string {
	f.clearEndpoints()
	return "/publishers/p/event-endpoints/" +
		f.do("/publishers/p/event-endpoints", object{"name": "E", "url": "https://localhost:9/"}, 201).ID
}

func (f *fixture) newConfirmedEndpoint() string {
	receiver := servertest.NewReceiver(f.t, nil)
	var made struct{ ID, Secret string }
	f.owner.Do(http.MethodPost, "/publishers/p/event-endpoints", object{"name": "E", "url": receiver.URL}, 201, &made)
	receiver.Know(made.Secret)
	path := "/publishers/p/event-endpoints/" + made.ID
	f.owner.Confirm(path)
	return path
}

// clearEndpoints deletes all event endpoints but the first, because their number per publisher is limited.
func (f *fixture) clearEndpoints() {
	var made struct{ Data []credential }
	f.owner.Do(http.MethodGet, "/publishers/p/event-endpoints?limit=100&offset=1", nil, 200,
		&made) // the first one stays
	for _, e := range made.Data {
		f.owner.Do(http.MethodDelete, "/publishers/p/event-endpoints/"+e.ID, nil, 204, nil)
	}
}

// event returns the path of an event that the webhook has received.
func (f *fixture) event() string {
	f.t.Helper()
	status, _ := post(f.t, f.webhook.URL, `{"title":"T"}`, http.Header{"Webhook-Id": {"e"}})
	check.Equal(f.t, "status of an event to the fixture's webhook", status, http.StatusAccepted)
	return "/channels/p/c/webhooks/" + f.webhook.ID + "/events/e"
}

func (f *fixture) newChannel() string {
	slug := f.slug()
	f.create(f.owner, "p", slug)
	return slug
}

func (f *fixture) newPublisher() string {
	slug := f.slug()
	f.do("/publishers", object{"slug": slug, "name": "P"}, 201)
	return slug
}

// newPerson signs somebody in and returns their address.
func (f *fixture) newPerson() string {
	email := f.slug() + "@example.com"
	f.SignIn(f.t, email)
	return email
}

func (f *fixture) newMember() string {
	return f.owner.Admit("p", f.SignIn(f.t, f.slug()+"@example.com"), "editor")
}

// newInvitation returns the id of an invitation to the owner of p by another publisher.
func (f *fixture) newInvitation() string {
	slug := f.slug()
	inviter := f.SignIn(f.t, "inviter-of-"+slug+"@example.com")
	inviter.Do(http.MethodPost, "/publishers", object{"slug": slug, "name": "P"}, 201, nil)
	var made credential
	inviter.Do(http.MethodPost, "/publishers/"+slug+"/invitations",
		object{"email": "owner@example.com", "role": "editor"}, 201, &made)
	return made.ID
}

// private returns the slug of a new private channel.
func (f *fixture) private() string {
	slug := f.slug()
	f.do("/channels", object{"publisherSlug": "p", "slug": slug, "name": "Privado", "categoryId": f.category,
		"visibility": "private"}, 201)
	return slug
}

// newChannelMember returns the path of somebody who has accepted an invitation to a private channel.
func (f *fixture) newChannelMember(invitation object) string {
	path := "/channels/p/" + f.private()
	secret := f.do(path+"/invitations", invitation, 201).Secret
	person := f.SignIn(f.t, f.slug()+"@example.com")
	person.Do(http.MethodPost, "/channel-invitations/accept", object{"secret": secret}, 200, nil)
	var me credential
	person.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	return path + "/members/" + me.ID
}

func (f *fixture) newDevice() string { return f.owner.RingingDevice(f.slug()) }

func (f *fixture) newCategory() string {
	var made credential
	f.operator.Do(http.MethodPost, "/categories", object{"slug": f.slug(), "name": "C"}, 201, &made)
	return made.ID
}

// newReport returns the id of an open report.
func (f *fixture) newReport() string {
	f.t.Helper()
	f.owner.Do(http.MethodPut, "/channels/p/"+f.newChannel()+"/report", object{"category": "spam"}, 204, nil)
	var open struct{ Data []credential }
	f.operator.Do(http.MethodGet, "/admin/reports?status=open", nil, 200, &open)
	return open.Data[0].ID
}

// newPublisherRequest stores a request of a person for a publisher, as where operators approve each.
func (f *fixture) newPublisherRequest(email string) string {
	f.t.Helper()
	slug, id := f.slug(), uuid.NewString()
	execute(f.t, f.Server, `insert into publisher_requests
		(subscriber_id, id, slug, name, reason, status, created_at, asked, since)
		values ($1, $2, $3, 'P', $4, 'pending', now(), 1, now())`, f.account(email), id, slug, "for "+email)
	return id
}

// suspended suspends what is at a path, and returns the path of the suspension.
func (f *fixture) suspended(path string) string {
	f.t.Helper()
	f.operator.Do(http.MethodPut, path+"/suspension", object{"reason": "R"}, 200, nil)
	return path + "/suspension"
}

// account returns the id of the account with an email address.
func (f *fixture) account(email string) string {
	f.t.Helper()
	var found struct{ Data []credential }
	f.operator.Do(http.MethodGet, "/admin/subscribers?email="+email, nil, 200, &found)
	return found.Data[0].ID
}

// newEntry returns the token of a new waiting-list entry.
func (f *fixture) newEntry() string {
	f.t.Helper()
	email := f.slug() + "@example.com"
	f.do("/waitlist/entries", object{"email": email}, 202)
	return tokenOf(f.Mail(f.t, email, 0))
}

func (f *fixture) deviceSignIn() string {
	var begun struct{ UserCode string }
	f.owner.Do(http.MethodPost, "/auth/device", object{}, 200, &begun)
	return begun.UserCode
}

// call sends a request with an id as one of the callers and returns the status and the start of the response.
func (f *fixture) call(method, caller, requestID string, r request) (status int, body string) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), 2*time.Minute)
	defer cancel()
	var encoded []byte
	var contentType string
	if r.body != nil {
		encoded, contentType = encode(f.t, r.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, f.URL+"/api/v1"+r.path, bytes.NewReader(encoded))
	if err != nil {
		f.t.Fatalf("new request: %v", err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("X-Request-Id", requestID)
	f.sign[caller](req)
	res, err := http.DefaultTransport.RoundTrip(req) // does not follow redirects
	if err != nil {
		f.t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // a stream is endless
	start := make([]byte, 300)
	n, _ := res.Body.Read(start)
	return res.StatusCode, string(start[:n])
}

// TestAccess calls every operation as every caller. It fails for an operation without a row and for a row without an
// operation, and for one that makes a change without an entry in the audit log.
func TestAccess(t *testing.T) {
	t.Parallel()
	methods := map[string]string{}
	for _, contract := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		doc, err := openapi3.NewLoader().LoadFromData(contract)
		if err != nil {
			t.Fatalf("load the contract: %v", err)
		}
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				methods[op.OperationID] = method
				if _, ok := table[op.OperationID]; !ok {
					t.Errorf("%s %s (%s) has no row", method, path, op.OperationID)
				}
			}
		}
	}
	shared := newFixture(t)
	for id, r := range table {
		if methods[id] == "" {
			t.Errorf("row %s: the contracts have no such operation", id)
			continue
		}
		want := strings.Fields(r.who)
		if len(want) != len(callers) {
			t.Fatalf("row %s: got %d columns, want %d", id, len(want), len(callers))
		}
		f := shared
		if slices.Contains([]string{"signOut", "deleteMe", "endOtherSessions", "removeMember", "renewFeedAddress"}, id) {
			f = newFixture(t) // the call changes what other rows expect of the fixture, such as its sessions
		}
		for i, caller := range callers {
			f.checkAccess(methods[id], id, caller, r, want[i])
		}
		wide := want[slices.Index(callers, "owner's-token")]
		for _, scope := range []string{"read", "publish"} {
			expected := wide
			if needed := scopeOf(id); needed != "" && needed != "any" && needed != scope {
				expected = "403"
			}
			f.checkAccess(methods[id], id, "token:"+scope, r, expected)
		}
	}
}

// checkAccess calls an operation as one of the callers and checks the status; + is the success of the row. A change
// must be in the audit log then.
func (f *fixture) checkAccess(method, id, caller string, r row, want string) {
	f.t.Helper()
	allowed := want == "+"
	if allowed {
		want = fmt.Sprint(r.success)
	}
	requestID := id + "." + strings.NewReplacer(":", ".", "'", "").Replace(caller)
	status, body := f.call(method, caller, requestID, r.make(f))
	if fmt.Sprint(status) != want {
		f.t.Errorf("%s as %s: got %d, want %s: %s", id, caller, status, want, body)
	}
	if allowed && method != http.MethodGet {
		checkAudited(f.t, f, id, caller, requestID)
	}
}
