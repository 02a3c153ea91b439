// Package delivery publishes notifications and turns each into one recorded outcome for each device. It has the steps
// and their SQL. Pushes wait as rows of the table turns, which every node takes from; River jobs only post events and
// prune. Each step commits its results together with the rows that start the next one, so that a crash loses nothing.
//
//	publish.go    stores a notification: concurrent publishes of a node share a transaction (group.go; the SQL is in
//	              postgres/publication.go)
//	publishbatch.go  stores several notifications of a channel, all or none
//	webhook.go    stores a notification together with the webhook event that it came from
//	change.go     stores a correction or a withdrawal
//	release.go    publishes what is due and hides what has expired
//	plan.go       publishes what a plan has published now, and makes the drafts of plans
//	writer.go     the lock under which all of these give positions on the stream
//	dispatch.go   starts the dispatch of a new notification, in the same transaction
//	finder.go     pages through the devices of the channel's followers and stores them in batches of at most 500; bell
//	              and mute suppress, quiet hours hold
//	turn.go       pushes that wait for their turn, and when they are due
//	rotation.go   chooses whose turn is next: owners follow each other, however much one of them has waiting
//	turns.go      runs turns on this node
//	send.go       pushes one notification to the devices of a batch that have no outcome yet
//	run.go        how any turns run: push what may be pushed now, record, and park the rest
//	part.go       the items of a run at one push service: its pace, and its pauses
//	service.go    what this node knows of each push service, and when it is paused
//	deviceresult.go  how devices fail, and until when they are left alone
//	outcome.go    records outcomes, the first of each device, and retires devices that are gone
//	hold.go       when quiet hours end, pushes what was held as one summary
//	owndevice.go  finds the devices of people to whom something of their own is pushed
//	snooze.go     brings back what people have postponed until now, and pushes it
//	digest.go     pushes to people, once a day, how much came in the channels that do not ring
//	revision.go   a correction or withdrawal reaches the devices that may still show the old text
//	confirm.go    pushes to each new address of a device, which rings once that is accepted
//	reading.go    what a person reads on one device is closed on those of their others that take silent pushes
//	finish.go     when every device has its outcome, keeps the counts and closes the dispatch
//	pacer.go      the pace of each push service, which all nodes share, and its pauses
//	index.go      makes what was published findable
//	prune.go      deletes what is no longer kept
//	trace.go      continues the traces in which notifications were published
//
// Publishers' event endpoints are notified of these steps:
//
//	event.go      stores an event for each endpoint that wants it, in the transaction that makes it happen
//	post.go       posts due events, one job for each endpoint
//	attempt.go    records every attempt, and what follows for the event and its endpoint
//
// dispatcher.go runs it all: loops that wait for their bells (bell.go), and the jobs, which jobs.go contributes to the
// River client. watch.go rings for what is due. Nothing here talks to a push service or an endpoint itself; that is
// push/fcm, push/webpush and events.
package delivery
