package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/server/internal/core"
)

// contract is an OpenAPI document, indexed for looking up operations.
type contract struct {
	json       []byte
	operations map[string]*operation // by method and path
}

// operation is one operation of the contract.
type operation struct {
	id, pattern            string
	visitor                bool       // allows callers without a credential
	session, token, bearer bool       // allow callers with these credentials
	anonymous              bool       // allows anonymous subscribers
	tokenScope             core.Scope // that an access token needs
	rate                   rate
	params                 []param
	names                  map[string]bool // names of its query parameters; nil allows any
	textParams             []param         // for texts and forms
	body                   *openapi3.Schema
	textFields             map[string]bool // of a form
	texts                  bool            // its body may be a text or a form
	pictures               bool            // its body is a picture, not JSON
	maxBody                int64           // in bytes
	streams                bool            // responds with an endless event stream
}

// open reports whether the operation requires no credential, in which case credentials are ignored.
func (o *operation) open() bool { return !o.session && !o.token && !o.bearer }

// param is one parameter of an operation.
type param struct {
	in, name, pointer string
	required          bool
	schema            *openapi3.Schema
}

const (
	defaultBody = 16 << 10 // bytes
	maxBody     = 2 << 20
)

// pictureMedia is the media type of pictures in the contract.
const pictureMedia = "image/*"

// forTexts marks what is for texts and forms in the contract.
const forTexts = "x-for-texts"

// isTextField reports whether a form has a field of that name.
func (o *operation) isTextField(name string) bool { return o.textFields[name] }

// maxBodyOf returns the maximum size of a body in bytes.
func maxBodyOf(body *openapi3.RequestBody) int64 {
	given := body.Extensions["x-max-bytes"]
	if given == nil {
		return defaultBody
	}
	n, ok := given.(float64)
	if !ok || n < 1 || n > bodiesForParty {
		panic(fmt.Sprintf("httpapi: the contract: x-max-bytes is %v", given))
	}
	return int64(n)
}

// The contracts are parsed once, although tests create hundreds of servers in a process. They are never changed.
var (
	mainContract     = sync.OnceValue(func() *contract { return readContract(openapi.Sininho) })
	waitlistContract = sync.OnceValue(func() *contract { return readContract(openapi.Waitlist) })
)

// readContract parses an OpenAPI document. It panics on failure because the document is compiled into the program.
func readContract(document []byte) *contract {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		panic("httpapi: the contract: " + err.Error())
	}
	c := &contract{operations: map[string]*operation{}}
	if c.json, err = doc.MarshalJSON(); err != nil {
		panic("httpapi: the contract: " + err.Error())
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			c.operations[method+" "+path] = newOperation(doc, path, method, item, op)
		}
	}
	return c
}

func newOperation(doc *openapi3.T, path, method string, item *openapi3.PathItem, op *openapi3.Operation) *operation {
	o := &operation{
		id: op.OperationID, pattern: prefix + path, rate: rateOf(method, op.OperationID), names: map[string]bool{},
	}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		o.addParam(ref.Value)
	}
	o.allow(doc, op)
	if op.RequestBody != nil {
		body := op.RequestBody.Value
		o.pictures = body.Content[pictureMedia] != nil
		if !o.pictures {
			o.body = body.Content["application/json"].Schema.Value
			flatten(o.body)
		}
		if form := body.Content[formMedia]; form != nil && form.Extensions[forTexts] == true {
			o.texts, o.textFields = true, map[string]bool{}
			for name := range form.Schema.Value.Properties {
				o.textFields[name] = true
			}
		}
		o.maxBody = maxBodyOf(op.RequestBody.Value)
	}
	if ok := op.Responses.Status(http.StatusOK); ok != nil {
		o.streams = ok.Value.Content["text/event-stream"] != nil
	}
	switch op.OperationID {
	case "finishGoogleSignIn", "finishProviderSignIn", receiveWebhook:
		o.names = nil // providers and senders may add parameters
	}
	return o
}

// flatten replaces the properties of a schema that are nullable references, which OpenAPI 3.0 writes with allOf, by
// what they refer to: the validator does not say where in an allOf a fault is.
func flatten(schema *openapi3.Schema) {
	for name, property := range schema.Properties {
		if of := property.Value.AllOf; len(of) == 1 {
			referred := *of[0].Value
			referred.Nullable = property.Value.Nullable
			schema.Properties[name] = referred.NewRef()
		}
	}
}

func (o *operation) addParam(p *openapi3.Parameter) {
	pointer := p.In + ":" + strings.ToLower(p.Name)
	if p.In != openapi3.ParameterInHeader {
		pointer = p.In + ":" + p.Name
	}
	described := param{p.In, p.Name, pointer, p.Required, p.Schema.Value}
	if p.Extensions[forTexts] == true {
		o.textParams = append(o.textParams, described)
	} else {
		o.params = append(o.params, described)
	}
	if p.In == openapi3.ParameterInQuery {
		o.names[p.Name] = true
	}
}

func (o *operation) allow(doc *openapi3.T, op *openapi3.Operation) {
	security := doc.Security
	if op.Security != nil {
		security = *op.Security
	}
	o.visitor = len(security) == 0
	for _, s := range security {
		_, session := s["session"]
		_, token := s["accessToken"]
		_, bearer := s["bearer"]
		o.session = o.session || session
		o.token = o.token || token
		o.bearer = o.bearer || bearer
		o.visitor = o.visitor || len(s) == 0
	}
	if o.token {
		o.tokenScope = tokenScopeOf(op)
	}
	o.anonymous, _ = op.Extensions["x-anonymous"].(bool)
	o.anonymous = o.anonymous || o.visitor
}

// anyScope is the x-token-scope of operations that every access token may call.
const anyScope core.Scope = "any"

// tokenScopeOf returns the scope that an access token needs for an operation, its x-token-scope. It panics if there is
// none, so that no operation is open to every token by oversight.
func tokenScopeOf(op *openapi3.Operation) core.Scope {
	given, _ := op.Extensions["x-token-scope"].(string)
	switch scope := core.Scope(given); scope {
	case core.ScopeRead, core.ScopePublish, core.ScopeManage, anyScope:
		return scope
	default:
		panic(fmt.Sprintf("httpapi: the contract: x-token-scope of %s is %q", op.OperationID, given))
	}
}

const (
	publishNotification  = "publishNotification"
	publishNotifications = "publishNotifications"
	receiveWebhook       = "receiveWebhook"
	joinWaitlist         = "joinWaitlist"
	beginEmailSignIn     = "beginEmailSignIn"
	signInAnonymously    = "signInAnonymously"
	takeDeviceSession    = "takeDeviceSession"
	beginPasskeySignUp   = "beginPasskeySignUp"
)

func rateOf(method, id string) rate {
	switch {
	case id == publishNotification || id == publishNotifications:
		return publishes
	case id == receiveWebhook:
		return webhooks
	case id == joinWaitlist || id == beginEmailSignIn: // both email an address that anyone can type
		return joins
	case id == signInAnonymously:
		return anonymous
	case id == beginPasskeySignUp: // anyone can have an account
		return joins
	case method == http.MethodGet:
		return reads
	default:
		return writes
	}
}
