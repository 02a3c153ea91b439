package core

import "context"

// Admission determines who may create publishers.
type Admission string

// The ways to become a publisher.
const (
	AdmissionOpen       Admission = "open"       // everyone creates publishers
	AdmissionInvitation Admission = "invitation" // only operators do, who invite the owners
	AdmissionRequest    Admission = "request"    // operators do, and approve what others ask for
)

// Valid reports whether the way is known.
func (a Admission) Valid() bool {
	return a == AdmissionOpen || a == AdmissionInvitation || a == AdmissionRequest
}

// ErrOperatorRequired returns the error for creating a publisher where only operators may.
func ErrOperatorRequired() *Error {
	return &Error{Code: CodeForbidden, Reason: "operator_required", Detail: Text{
		EN: "Only operators create publishers here. Ask one to create it and to invite you as its owner.",
		PT: "Aqui só os operadores criam publicadores. Peça a um que crie o seu e o convide para ser responsável."}}
}

// ErrRequestRequired returns the error for creating a publisher where operators approve each.
func ErrRequestRequired() *Error {
	return &Error{Code: CodeForbidden, Reason: "request_required", Detail: Text{
		EN: "Operators approve new publishers here. Ask for yours with requestPublisher.",
		PT: "Aqui os operadores aprovam os novos publicadores. Peça o seu com requestPublisher."}}
}

// checkAdmission fails with CodeForbidden if the caller may not create publishers.
func (s *Publishers) checkAdmission(ctx context.Context, c Caller) error {
	if s.rules.admission == AdmissionOpen || s.rules.admission == "" {
		return nil
	}
	person, err := s.store.Subscriber(ctx, c.SubscriberID)
	switch {
	case err != nil, s.operators.Has(person):
		return err
	case s.rules.admission == AdmissionRequest:
		return ErrRequestRequired()
	default:
		return ErrOperatorRequired()
	}
}
