// Package sininho is the Go SDK of Sininho, a notification platform. With it a program publishes to
// channels, reads and follows what was published, and acts on behalf of a person.
//
// # Publishing
//
// Create one [Client] with your publisher's API key and share it:
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
// A channel is identified by its address, `publisher/channel`.
//
// # Exactly once
//
// A publish that returns without an error is stored and will reach every follower. Failed attempts
// (connection errors, 429, 5xx, a duplicate still in flight) are retried with jitter and no sooner
// than Retry-After allows, all under one idempotency key, so that retries never publish twice. To
// be safe across runs of your program too, set PublishInput.ExternalID to your own id of the
// notification, which its channel never accepts twice; or pass your own key with
// [WithIdempotencyKey], which is valid for 24 hours. [PublishResult] reports whether the
// notification was created, already existed or was replayed.
//
// # Delivery results
//
// Notifications.Deliveries returns how many devices a notification reached, and why it did not reach
// the others. Channels.Deliveries returns the same for all notifications of a channel, by hour or day:
//
//	numbers, err := client.Channels.Deliveries(ctx, "metro/linha-azul",
//		sininho.DeliveriesOptions{Interval: sininho.Hourly})
//
// To be notified instead of polling, create an event endpoint of your publisher. Its handler
// verifies each request before it parses the event:
//
//	message, err := webhook.Verify(r.Header, body, []string{secret})
//	event, err := sininho.ParseEvent(body)
//	if event.Type == sininho.NotificationFailed { … event.Data.Failed … }
//
// # Publishing from other systems
//
// A webhook lets other systems publish to a channel: GitHub, GitLab, Alertmanager, Grafana, Stripe
// and Sentry with their own payloads, and any other system that can post JSON. Preview renders a
// payload without publishing it, Events lists the webhook events received and their outcomes, and
// Replay publishes a refused webhook event once its template is fixed:
//
//	hook, err := client.Webhooks.Create(ctx, "metro/linha-azul", sininho.WebhookInput{
//		Name: "Alertas", Sender: sininho.SenderAlertmanager,
//	})
//	fmt.Println(hook.URL, hook.Secret)
//
// # On behalf of a person
//
// With a person's access token instead of the key ([WithAccessToken]), a client acts for that
// person: it follows channels and reads their feed, and creates and changes publishers, members,
// keys, channels, webhooks and event endpoints as far as their role allows. A program without a
// browser gets such a token with DeviceSignIn:
//
//	signIn, err := client.DeviceSignIn.Begin(ctx, "painel da cozinha")
//	fmt.Println("Open", signIn.VerificationURL, "and enter", signIn.UserCode)
//	token, err := client.DeviceSignIn.Wait(ctx, signIn)
//
// In an update, nil fields stay unchanged. To avoid overwriting somebody else's change, pass the Version
// that you read to [IfVersion]; if the resource has changed since, the call fails with [ErrChanged].
//
// # Errors
//
// A call that the server refuses fails with an [*Error], which has the status, a stable code, every
// fault of the input and the request id for the server's log. An input that cannot even be sent
// fails with an [*InputError]. Match kinds with errors.Is: [ErrUnauthorized], [ErrForbidden],
// [ErrNotFound], [ErrConflict], [ErrChanged], [ErrInvalid], [ErrRateLimited], [ErrUnreachable]. No
// error and no log line contains a credential.
//
// # Reading and following
//
// Lists are iterators that fetch pages as the loop proceeds:
//
//	for n, err := range client.Notifications.List(ctx, "metro/linha-azul", sininho.ListOptions{}) {
//
// Stream follows a channel live and reconnects by itself, continuing after the last event:
//
//	for event, err := range client.Notifications.Stream(ctx, "metro/linha-azul", sininho.StreamOptions{}) {
//
// # What it does not do
//
// The package reads no environment variables or files, has no global state, starts no goroutine
// that outlives a call, and follows no redirects. To verify webhooks, see
// [github.com/sininho/sininho/pkg/webhook]; to test your own program, see
// [github.com/sininho/sininho/pkg/sininho/sininhotest]. The API itself is described by
// openapi/sininho.yaml and, on each server, at /api/v1/openapi.json and /docs.
package sininho
