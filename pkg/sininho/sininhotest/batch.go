package sininhotest

import (
	"errors"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

func rulesOfNotificationBatch(body []byte) error {
	all := decoded[api.NotificationBatch](body).Notifications
	externalIDs := make([]string, len(all))
	for i, n := range all {
		externalIDs[i] = value(n.ExternalID)
	}
	var f faults
	for _, fault := range rules.Batch(externalIDs, func(i int) rules.Faults { return rulesOf(inputOf(all[i])) }) {
		f.add(fault.Pointer, fault.Code, fault.Detail.EN)
	}
	if len(f) == 0 {
		return nil
	}
	return &sininho.InputError{Fields: f}
}

// rulesOf returns the faults of an input of a batch.
func rulesOf(in sininho.PublishInput) (found rules.Faults) {
	var input *sininho.InputError
	if errors.As(checkInput(in), &input) {
		for _, fault := range input.Fields {
			found.Add(fault.Pointer, fault.Code, rules.Text{EN: fault.Detail})
		}
	}
	return found
}

func (s *Server) publishBatch(r *request) (*reply, error) {
	c, err := s.store.editable(r, sininho.ScopePublish)
	if err != nil {
		return nil, err
	}
	var f faults
	if f.rules(rulesOfNotificationBatch(r.body)); len(f) > 0 {
		// Notifications published in time stay published, however late the request is repeated.
		if again, err := s.store.replayOf(r); again != nil && err == nil {
			return again, nil
		}
		return nil, f.err()
	}
	return s.store.once(r, func() (*reply, error) {
		var results []api.NotificationResult
		for _, in := range decoded[api.NotificationBatch](r.body).Notifications {
			results = append(results, s.store.addToBatch(c, inputOf(in)))
		}
		return ok(api.NotificationBatchResult{Data: results}), nil
	})
}

func (s *store) addToBatch(c *channel, in sininho.PublishInput) api.NotificationResult {
	n, created := s.add(c, in)
	result := api.NotificationResult{ID: uuid.MustParse(n.ID), Outcome: api.NotificationResultOutcomeExisting}
	if created {
		result.Outcome = api.NotificationResultOutcomeCreated
	}
	return result
}
