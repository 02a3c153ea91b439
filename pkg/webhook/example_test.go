package webhook_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
)

// The sender signs each attempt; the receiver verifies the raw body before it parses it.
func Example() {
	secret := "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" // from webhook.NewSecret, once
	now := time.Unix(1614265330, 0)

	header, err := webhook.Sign(webhook.Message{
		ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Timestamp: now, Body: []byte(`{"test": 2432232314}`),
	}, secret)
	if err != nil {
		panic(err)
	}
	fmt.Println(header.Get(webhook.HeaderSignature))

	clock := webhook.WithClock(func() time.Time { return now.Add(time.Minute) })
	message, err := webhook.Verify(header, []byte(`{"test": 2432232314}`), []string{secret}, clock)
	fmt.Println(message.ID, err)

	_, err = webhook.Verify(header, []byte(`{"test": 666}`), []string{secret}, clock)
	fmt.Println(errors.Is(err, webhook.ErrSignature))
	// Output:
	// v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
	// msg_p5jXN8AQM9LWM0D4loKWxJek <nil>
	// true
}
