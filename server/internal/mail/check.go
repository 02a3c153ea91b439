package mail

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
)

// Check reports whether the mail server takes emails of the sender, without sending one.
func (s *Sender) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	c, err := s.authenticated(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.allow(s.from.Address, ""); err != nil {
		return err
	}
	if err := c.Mail("<" + s.from.Address + ">"); err != nil {
		if response, ok := errors.AsType[*textproto.Error](err); ok && response.Code == 530 {
			return failedTo("offer an email", err)
		}
		return fmt.Errorf("the mail server refused the sender: %w: %s", err, adviceOnSender)
	}
	return nil
}
