package analytics

import (
	"fmt"

	"github.com/posthog/posthog-go"

	"github.com/sininho/sininho/server/internal/core"
)

// message converts an event to PostHog's form.
func message(e core.AnalyticsEvent) posthog.Capture {
	switch e := e.(type) {
	case core.NotificationAccepted:
		return about(e.NotificationID, "notification_accepted", posthog.Properties{
			"notificationId": e.NotificationID, "channelId": e.ChannelID, "accepted": e.Accepted, "failed": e.Failed})
	case core.NotificationOpened:
		return about(e.NotificationID, "notification_opened", posthog.Properties{"notificationId": e.NotificationID})
	default:
		panic(fmt.Sprintf("analytics: %T is not in the catalogue", e)) // cannot happen: core defines no other events
	}
}

// about returns an event about a notification. PostHog requires a distinct id, which is the notification's because no
// person is identified. The event's own id lets it be sent again without being counted twice.
func about(id core.ID, name string, properties posthog.Properties) posthog.Capture {
	properties.Set("$process_person_profile", false).Set("$geoip_disable", true).Set("$ip", nil)
	return posthog.Capture{Uuid: core.NewID().String(), DistinctId: id.String(), Event: name, Properties: properties}
}
