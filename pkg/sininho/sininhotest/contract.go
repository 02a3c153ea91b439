package sininhotest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/pkg/api"
)

// contract checks requests and answers against the APIs' documents.
type contract struct{ router routers.Router }

var parseContract = sync.OnceValues(func() (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Sininho)
	if err != nil {
		return nil, err
	}
	waitlist, err := openapi3.NewLoader().LoadFromData(openapi.Waitlist)
	if err != nil {
		return nil, err
	}
	for path, item := range waitlist.Paths.Map() {
		for _, operation := range item.Operations() {
			if operation.Security == nil {
				operation.Security = &waitlist.Security
			}
		}
		doc.Paths.Set(path, item)
	}
	doc.Servers = openapi3.Servers{{URL: "/api/v1"}}
	router, err := legacy.NewRouter(doc)
	return &contract{router}, err
})

func loadContract(t testing.TB) *contract {
	t.Helper()
	c, err := parseContract()
	if err != nil {
		t.Fatalf("sininhotest: %v", err)
	}
	return c
}

func (c *contract) input(r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{MultiError: true, AuthenticationFunc: authenticate, IncludeResponseStatus: true},
	}, nil
}

// How a publisher's keys and a person's access tokens begin.
const (
	keyPrefix   = "snh_live_"
	tokenPrefix = "sna_live_"
)

// authenticate accepts a bearer of the kind that is wanted; the credential itself was
// compared before.
func authenticate(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	prefix := map[string]string{"bearer": keyPrefix, "accessToken": tokenPrefix}[in.SecuritySchemeName]
	if prefix != "" && strings.HasPrefix(in.RequestValidationInput.Request.Header.Get("Authorization"), "Bearer "+prefix) {
		return nil
	}
	return errors.New("no credential")
}

func (c *contract) checkRequest(r *http.Request) *api.Problem {
	input, err := c.input(r)
	if err != nil {
		p := problem(http.StatusNotFound, "not_found", "There is no such operation.")
		return &p
	}
	err = openapi3filter.ValidateRequest(r.Context(), input)
	var security *openapi3filter.SecurityRequirementsError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &security):
		p := problem(http.StatusUnauthorized, "unauthenticated", "A credential of another kind is needed.")
		return &p
	}
	p := problem(http.StatusUnprocessableEntity, "invalid", "The request has faults.")
	p.Errors = fieldErrors(err)
	return &p
}

func (c *contract) checkAnswer(t testing.TB, r *http.Request, recorder *httptest.ResponseRecorder) {
	input, err := c.input(r)
	if err != nil {
		return
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: recorder.Code, Header: recorder.Header(), Options: input.Options,
	}
	err = openapi3filter.ValidateResponse(r.Context(), answer.SetBodyBytes(recorder.Body.Bytes()))
	if err != nil {
		t.Errorf("sininhotest: %s %s: the answer breaks the contract: %v", r.Method, r.URL.Path, err)
	}
}

// fieldErrors flattens what the validator found.
func fieldErrors(err error) []api.FieldError {
	var many openapi3.MultiError
	if errors.As(err, &many) {
		var all []api.FieldError
		for _, one := range many {
			all = append(all, fieldErrors(inRequest(err, one))...)
		}
		return all
	}
	var request *openapi3filter.RequestError
	var schema *openapi3.SchemaError
	out := api.FieldError{Pointer: "#", Code: "invalid", Detail: "is not as the contract wants it"}
	if errors.As(err, &schema) {
		out.Detail = schema.Reason
		out.Pointer = "#/" + strings.Join(schema.JSONPointer(), "/")
	}
	if errors.As(err, &request) && request.Parameter != nil {
		out.Pointer = request.Parameter.In + ":" + strings.ToLower(request.Parameter.Name)
	}
	return []api.FieldError{out}
}

// inRequest keeps the parameter that the fault is in, which only the outer error knows.
func inRequest(outer, inner error) error {
	var request *openapi3filter.RequestError
	var already *openapi3filter.RequestError
	_, isMany := outer.(openapi3.MultiError) //nolint:errorlint // the outer one itself, not what it holds
	if isMany || errors.As(inner, &already) || !errors.As(outer, &request) {
		return inner
	}
	return &openapi3filter.RequestError{Input: request.Input, Parameter: request.Parameter, RequestBody: request.RequestBody, Err: inner}
}
