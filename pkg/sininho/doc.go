// Package sininho is the Go SDK of Sininho, the platform of notification channels: with it
// a program publishes to channels, reads and follows what was published, and does for a
// person what they may do themselves.
//
// # Publishing
//
// Make one [Client] with your publisher's API key and share it:
//
//	client, err := sininho.New(
//		sininho.WithBaseURL("https://sininho.example.com"),
//		sininho.WithAPIKey(os.Getenv("SININHO_API_KEY")),
//	)
//	result, err := client.Notifications.Publish(ctx, "metro/linha-azul", sininho.PublishInput{
//		Title: "Linha azul reaberta",
//		Body:  "A circulação foi retomada em toda a linha.",
//		Link:  "https://metro.example.com/linha-azul",
//	})
//
// A channel is named by its address, `publisher/channel`.
//
// # Once, and only once
//
// A publish that returns without an error is stored and will reach every follower. Failed
// attempts (connection errors, 429, 5xx, a duplicate still in flight) are made again with
// jitter and as late as Retry-After asks, all under one idempotency key, so that none of
// them publishes twice. To be safe across runs of your program too, give the notification
// your own id in PublishInput.ExternalID, which its channel takes once for good; or the
// call a key of your own by [WithIdempotencyKey], which holds for 24 hours.
// [PublishResult] tells whether it was created, existed or was replayed.
//
// # What became of it
//
// Notifications.Deliveries tells on how many devices a notification arrived, and why not on
// the others; Channels.Deliveries tells it of all notifications of a channel, by hour or day:
//
//	numbers, err := client.Channels.Deliveries(ctx, "metro/linha-azul", sininho.DeliveriesOptions{Interval: sininho.Hourly})
//
// To be told instead of asking, make an event endpoint of your publisher. What is posted to it
// is verified first, and then read:
//
//	message, err := webhook.Verify(r.Header, body, []string{secret})
//	event, err := sininho.ParseEvent(body)
//	if event.Type == sininho.NotificationFailed { … event.Data.Failed … }
//
// # From other systems
//
// A webhook lets others publish to a channel: GitHub, GitLab, Alertmanager, Grafana, Stripe and
// Sentry as they are, and anything that can post JSON. Preview shows what would come of a
// payload, Events what came and what became of it, Replay publishes what was refused once its
// template is mended:
//
//	hook, err := client.Webhooks.Create(ctx, "metro/linha-azul", sininho.WebhookInput{
//		Name: "Alertas", Sender: sininho.SenderAlertmanager,
//	})
//	fmt.Println(hook.URL, hook.Secret)
//
// # On behalf of a person
//
// With a person's access token in place of the key ([WithAccessToken]) a client acts for
// them: it follows channels and reads their feed, and creates and changes publishers,
// members, keys, channels, webhooks and event endpoints as far as their role reaches. A
// program without a browser gets such a token by DeviceSignIn:
//
//	signIn, err := client.DeviceSignIn.Begin(ctx, "painel da cozinha")
//	fmt.Println("Open", signIn.VerificationURL, "and enter", signIn.UserCode)
//	token, err := client.DeviceSignIn.Wait(ctx, signIn)
//
// In an update, what is nil stays. To change nothing that somebody else changed meanwhile,
// give [IfVersion] the Version that was seen; it is an [ErrChanged] then.
//
// # Errors
//
// A refusal is an [*Error] with the status, a stable code, every fault of the input and the
// id to look for in the server's log; an input that cannot even be sent is an [*InputError].
// Match kinds with errors.Is: [ErrUnauthorized], [ErrForbidden], [ErrNotFound],
// [ErrConflict], [ErrChanged], [ErrInvalid], [ErrRateLimited], [ErrUnreachable]. No error
// and no log line holds a credential.
//
// # Reading and following
//
// Lists are iterators that fetch pages as the loop goes on:
//
//	for n, err := range client.Notifications.List(ctx, "metro/linha-azul", sininho.ListOptions{}) {
//
// Stream follows a channel live and reconnects by itself from the last event:
//
//	for event, err := range client.Notifications.Stream(ctx, "metro/linha-azul", sininho.StreamOptions{}) {
//
// # What it does not do
//
// The package reads no environment variable and no file, has no global state, starts no
// goroutine that outlives a call, and follows no redirect. To verify webhooks see
// [github.com/sininho/sininho/pkg/webhook]; to test a program of yours see
// [github.com/sininho/sininho/pkg/sininho/sininhotest]; the API itself is described by
// openapi/sininho.yaml and, on each server, at /api/v1/openapi.json and /docs.
package sininho
