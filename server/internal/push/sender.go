package push

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Senders are the ways out that the installation uses, by the transport of the device. They implement core.PushSender.
type Senders map[string]core.PushSender

// Send implements core.PushSender. A device whose transport is switched off keeps its registration.
func (s Senders) Send(ctx context.Context, p core.Push, to core.PushAddress) core.Result {
	sender := s[to.Transport()]
	if sender == nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseOff}
	}
	return sender.Send(ctx, p, to)
}
