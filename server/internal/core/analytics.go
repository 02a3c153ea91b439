package core

// Analytics receives usage events. Capture never blocks, and events may be lost.
type Analytics interface {
	Capture(e AnalyticsEvent)
}

// AnalyticsEvent is one of the events below; the server reports no others. They contain the ids of public objects and
// numbers, but never identify a person.
type AnalyticsEvent interface{ analytics() }

// NotificationAccepted reports on how many devices a notification was accepted and on how many it failed.
type NotificationAccepted struct {
	NotificationID, ChannelID ID
	Accepted, Failed          int64
}

// NotificationOpened reports that one more subscriber opened a notification.
type NotificationOpened struct{ NotificationID ID }

func (NotificationAccepted) analytics() {}
func (NotificationOpened) analytics()   {}

// NoAnalytics captures nothing.
type NoAnalytics struct{}

// Capture implements Analytics.
func (NoAnalytics) Capture(AnalyticsEvent) {}
