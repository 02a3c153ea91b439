package core

import "fmt"

// Cap names things of which one person, publisher or channel may have only so many.
type Cap string

// The caps.
const (
	CapDevices        Cap = "devices"             // registered, of a person
	CapUnconfirmed    Cap = "unconfirmed devices" // those of them that have not rung yet
	CapAccessTokens   Cap = "access tokens"       // that work, of a person
	CapPublishers     Cap = "publishers"          // owned by a person
	CapSubscriptions  Cap = "subscriptions"       // of a person
	CapSnoozed        Cap = "snoozed"             // notifications that a person has postponed
	CapChannels       Cap = "channels"            // not deleted, of a publisher
	CapAPIKeys        Cap = "API keys"            // that work and were not rotated, of a publisher
	CapEventEndpoints Cap = "event endpoints"     // of a publisher
	CapWebhooks       Cap = "webhooks"            // of a channel
	CapInvitations    Cap = "invitations"         // that were not revoked, of a channel
	CapRequests       Cap = "requests to join"    // that wait for approval, of a channel
	CapDrafts         Cap = "drafts"              // of a person in a channel
	CapTemplates      Cap = "templates"           // of a channel
)

// Caps says how many of each there may be.
type Caps map[Cap]int

// DefaultCaps returns the caps for production.
func DefaultCaps() Caps {
	return Caps{CapDevices: 100, CapUnconfirmed: 10, CapAccessTokens: 100, CapPublishers: 20, CapSubscriptions: 2000,
		CapSnoozed: 500, CapChannels: 1000, CapAPIKeys: 100, CapEventEndpoints: 20, CapWebhooks: 50,
		CapInvitations: 100, CapRequests: 1000, CapDrafts: 50, CapTemplates: 100}
}

// capTexts are the errors at the caps, with the number.
var capTexts = map[Cap]Text{
	CapDevices: {EN: "You already have %d devices. Remove one first.",
		PT: "Já tem %d dispositivos. Remova um primeiro."},
	CapUnconfirmed: {EN: "You already have %d devices that have not accepted a push yet. Remove one first.",
		PT: "Já tem %d dispositivos que ainda não tocaram. Remova um primeiro."},
	CapAccessTokens: {EN: "You already have %d access tokens. Revoke one first.",
		PT: "Já tem %d tokens de acesso. Revogue um primeiro."},
	CapPublishers: {EN: "You already own %d publishers. Delete one first.",
		PT: "Já é proprietário de %d publicadores. Apague um primeiro."},
	CapSubscriptions: {EN: "You already follow %d channels. Unfollow one first.",
		PT: "Já segue %d canais. Deixe de seguir um primeiro."},
	CapSnoozed: {EN: "You have already postponed %d notifications. Bring one back first.",
		PT: "Já adiou %d notificações. Traga uma de volta primeiro."},
	CapChannels: {EN: "The publisher already has %d channels. Delete one first.",
		PT: "O publicador já tem %d canais. Apague um primeiro."},
	CapAPIKeys: {EN: "The publisher already has %d API keys. Revoke one first.",
		PT: "O publicador já tem %d chaves de API. Revogue uma primeiro."},
	CapEventEndpoints: {EN: "The publisher already has %d event endpoints. Delete one first.",
		PT: "O publicador já tem %d endereços de eventos. Apague um primeiro."},
	CapWebhooks: {EN: "The channel already has %d webhooks. Delete one first.",
		PT: "O canal já tem %d webhooks. Apague um primeiro."},
	CapInvitations: {EN: "The channel already has %d invitations. Revoke one first.",
		PT: "O canal já tem %d convites. Revogue um primeiro."},
	CapRequests: {EN: "%d people already wait to join the channel. Try again when some of them have been answered.",
		PT: "Já %d pessoas esperam para entrar no canal. Tente quando algumas tiverem resposta."},
	CapDrafts: {EN: "You already have %d drafts in the channel. Delete one first.",
		PT: "Já tem %d rascunhos no canal. Apague um primeiro."},
	CapTemplates: {EN: "The channel already has %d templates. Delete one first.",
		PT: "O canal já tem %d modelos. Apague um primeiro."},
}

// Err returns the error for a thing more than there may be.
func (c Caps) Err(of Cap) *Error {
	text := capTexts[of]
	return &Error{Code: CodeInvalid, Reason: "too_many",
		Detail: Text{EN: fmt.Sprintf(text.EN, c[of]), PT: fmt.Sprintf(text.PT, c[of])}}
}
