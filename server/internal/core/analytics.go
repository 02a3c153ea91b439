package core

// Analytics is told what is counted of Sininho's use. It never waits, and what it is told may be lost.
type Analytics interface {
	Capture(e AnalyticsEvent)
}

// AnalyticsEvent is one of the events below, which are all that the server ever tells: ids of what is public knowledge and
// numbers, and never whose doing it was.
type AnalyticsEvent interface{ analytics() }

// NotificationAccepted tells on how many devices a notification was accepted, and on how many it failed.
type NotificationAccepted struct {
	NotificationID, ChannelID ID
	Accepted, Failed          int64
}

// NotificationOpened tells that one more person opened a notification.
type NotificationOpened struct{ NotificationID ID }

func (NotificationAccepted) analytics() {}
func (NotificationOpened) analytics()   {}
