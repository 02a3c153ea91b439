package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// errReported is a failure whose details were already written.
var errReported = errors.New("reported")

// errFaulty is an invalid input whose faults were already written; nothing was sent.
var errFaulty = errors.New("faulty")

// explainInWords writes the cause of an error and a remedy for people.
func (s *session) explainInWords(err error) int {
	var usage *usageError
	var input *sininho.InputError
	var refused *sininho.Error
	var apiKey *apiKeyError
	var exit *exitError
	var file *keyFileError
	switch {
	case errors.As(err, &file):
		s.talk("sininho: %v", err)
		return exitNotSignedIn
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &apiKey):
		s.explainAPIKey(apiKey)
		return exitNotSignedIn
	case errors.Is(err, errReported):
		return exitFailed
	case errors.Is(err, errFaulty):
		s.pointToHelp("")
		return exitUsage
	case errors.As(err, &usage):
		return s.explainUsage(usage)
	case errors.Is(err, errRefusedSecret):
		s.talk("sininho: %v", err)
		return exitNotSignedIn
	case errors.Is(err, errNotSignedIn), errors.Is(err, sininho.ErrUnauthorized):
		s.explainSignIn(err)
		return exitNotSignedIn
	case errors.As(err, &refused) &&
		(refused.Code == sininho.CodeAccessDenied || refused.Code == sininho.CodeExpiredToken):
		s.explainRefusal(refused)
		return exitNotSignedIn
	case errors.As(err, &input):
		s.talk("sininho: this cannot be sent:")
		s.listFaults(input.Fields)
		s.pointToHelp("")
		return exitUsage
	case errors.As(err, &refused):
		s.explainRefusal(refused)
	case errors.Is(err, sininho.ErrUnreachable):
		s.explainUnreachable(innermost(err))
	default:
		s.talk("sininho: %s", strings.TrimPrefix(err.Error(), "sininho: "))
	}
	return exitFailed
}

func (s *session) explainUsage(usage *usageError) int {
	s.talk("sininho: %s", usage.text)
	s.pointToHelp(usage.command)
	return exitUsage
}

// pointToHelp refers the user to the help of a command, or of the running one for "".
func (s *session) pointToHelp(command string) {
	if command == "" && s.running != nil {
		command = s.running.Command.HelpName
	}
	s.talk("Run '%s --help' for its usage.", cmp.Or(command, "sininho"))
}

func (s *session) explainSignIn(err error) {
	switch {
	case errors.Is(err, errNotSignedIn):
		s.talk("sininho: not signed in to %s: there is no saved sign-in, and SININHO_API_KEY is not set", s.origin())
	case s.source == fromEnvironment, s.source == fromKeyFile:
		s.talk("sininho: not signed in: %s does not accept the key in %s for this", s.origin(), s.source)
	default:
		s.talk("sininho: not signed in: %s", s.whyRefused())
	}
	s.talk("Sign in with 'sininho login', or set SININHO_API_KEY to an API key of your publisher (snh_live_…)\n" +
		"or to one of your access tokens (sna_live_…) that is neither expired nor revoked.")
}

// whyRefused returns the reason why the server refuses the saved sign-in.
func (s *session) whyRefused() string {
	if saved, err := s.credentials(); err == nil {
		if end := saved.Servers[s.accountName(saved)].ExpiresAt; !end.IsZero() && end.Before(time.Now()) {
			return fmt.Sprintf("the saved sign-in to %s expired on %s", s.origin(), moment(end))
		}
	}
	return s.origin() + " no longer accepts the saved sign-in"
}

// explainAPIKey writes how to sign in for a command that an API key cannot run.
func (s *session) explainAPIKey(e *apiKeyError) {
	holder := string(e.source) + " holds"
	if e.source == fromLogin {
		holder = "the saved sign-in is"
	}
	s.talk("sininho: this is for people, and %s an API key of a publisher", holder)
	s.talk("Sign in with 'sininho login': this command then uses the sign-in, and other commands the API key.\n" +
		"Or set SININHO_API_KEY to one of your access tokens (sna_live_…).")
}

// explainRefusal writes all parts of the server's error.
func (s *session) explainRefusal(e *sininho.Error) {
	text := e.Detail
	if text == "" {
		text = e.Title
	}
	s.talk("sininho: %s (%d %s)", text, e.Status, e.Code)
	s.listFaults(e.Fields)
	if hint := s.hintFor(e); hint != "" {
		s.talk("%s", hint)
	}
	if e.RequestID != "" {
		s.talk("Request %s", e.RequestID)
	}
}

func (s *session) hintFor(e *sininho.Error) string {
	switch {
	case e.Code == sininho.CodeSuspended:
		return "" // the reason says it
	case e.Code == sininho.CodeRequestRequired:
		return "Ask for it with '" + s.listing("sininho publishers request") + " --name NAME'."
	case errors.Is(e, sininho.ErrForbidden):
		return "See your account and the scopes of your key or token with 'sininho whoami', and your role with\n" +
			"'sininho publishers list --mine'."
	case errors.Is(e, sininho.ErrNotFound):
		return s.whereToLook()
	case e.Code == sininho.CodeAlreadyRotated:
		return "Find its successor with '" + s.listing("sininho keys list") +
			"' and rotate that one, even if its secret was lost."
	case e.Code == sininho.CodeDisabled:
		return "Switch it on with '" + s.listing("sininho endpoints update") + " " + s.running.Args().Get(1) + " --on'."
	case e.Code == sininho.CodeUnconfirmed:
		return "Run '" + s.listing("sininho endpoints confirm") + " " + s.running.Args().Get(1) + "'."
	case e.Code == sininho.CodeExpiredToken:
		return "Run 'sininho login' again."
	case errors.Is(e, sininho.ErrRateLimited):
		return "Try again in " + max(e.RetryAfter, time.Second).String() + "."
	case e.Status >= 500:
		return "The server failed; try again. Nothing is published twice with the same --idempotency-key."
	}
	return ""
}

// whereToLook returns a hint that names the command which lists the resource that was not found.
func (s *session) whereToLook() string {
	if s.running == nil {
		return ""
	}
	command := s.running.Command
	group, _, _ := strings.Cut(strings.TrimPrefix(command.HelpName, "sininho "), " ")
	if group == "deliveries" {
		group = "notifications"
	}
	needs := strings.Fields(command.ArgsUsage)
	switch {
	case s.running.IsSet("read"), s.running.IsSet("archive"):
		return "See your feed with 'sininho feed'."
	case group == "devices":
		return "See your devices with 'sininho devices list'."
	case group == "tokens":
		return "See your access tokens with 'sininho tokens list'."
	case group == "sessions":
		return "See your sessions with 'sininho sessions list'."
	case slices.Contains(needs, "EVENT"):
		return "See the events with '" + s.listing("sininho webhooks events") + " " + s.running.Args().Get(1) + "'."
	case slices.Contains(needs, "DELIVERY"):
		return "See the deliveries with '" + s.listing("sininho endpoints deliveries") + " " +
			s.running.Args().Get(1) + "'."
	case slices.Contains(needs, "ID"), slices.Contains(needs, "[ID]") && s.running.NArg() == 2:
		return "See the " + group + " with '" + s.listing("sininho "+group+" list") + "'."
	case slices.Contains(needs, "PUBLISHER"), command.HelpName == "sininho channels create":
		return "See your publishers with 'sininho publishers list --mine', and all publishers with\n" +
			"'sininho publishers list'."
	case s.running.NArg() > 0:
		return "See the channels with 'sininho channels list', or create one with 'sininho channels create'."
	}
	return ""
}

// listing returns a list command with the channel or publisher of the running command.
func (s *session) listing(command string) string {
	return command + " " + s.running.Args().First()
}

// listFaults writes every fault of an input, with the flag that it came from.
func (s *session) listFaults(fields []sininho.FieldError) {
	for _, f := range fields {
		s.talk("  %s: %s", flagFor(f), f.Detail)
	}
}

var flagsOfFields = map[string]string{ //nolint:gosec // names of fields and flags, not credentials
	"challenge": "--challenge", "title": "--title", "body": "--body", "link": "--link", "image": "--image",
	"icon": "--icon", "importance": "--importance", "data": "--data", "externalId": "--external-id",
	"scheduledAt": "--schedule-at", "expiresAt": "--expires-at", "idempotency-key": "--idempotency-key",
	"name": "--name", "description": "--description", "categoryId": "--category", "channel": "CHANNEL",
	"slug": "CHANNEL", "channelSlug": "CHANNEL", "publisherSlug": "PUBLISHER", "id": "ID", "website": "--website",
	"avatar": "--avatar", "email": "EMAIL", "role": "ROLE", "scopes": "--scopes",
	"oldExpiresAt": "--old-expires-at", "what": "PART", "bell": "--bell", "bellDefault": "--bell",
	"mutedUntil": "--mute", "snoozedUntil": "--until", "digestAt": "--digest", "quietHours": "--quiet",
	"timezone": "--timezone", "locale": "--locale", "categoryIds": "--interests", "sender": "--sender",
	"signing": "--signing", "signed": "--signing", "secret": "--secret-stdin", "template": "--template",
	"payload": "FILE", "headers": "--header", "eventId": "EVENT", "deliveryId": "DELIVERY", "url": "--to",
	"events": "--events", "next": "--next", "emails": "EMAIL", "referralCode": "--referral", "from": "--from",
	"until": "--until", "interval": "--interval", "status": "--status", "q": "--search", "category": "--category",
	"maxUses": "--max-uses", "publisher": "--publisher", "sort": "--sort", "limit": "--limit",
}

var flagsOfPlan = map[string]string{
	"makes": "--draft", "weekdays": "--on", "monthDays": "--on", "time": "--at", "timezone": "--timezone",
	"startsAt": "--starts-at", "endsAt": "--ends-at",
}

// explainUnreachable names the address that could not be reached and the setting that it comes from.
func (s *session) explainUnreachable(cause string) {
	address, set := s.origin(), "SININHO_URL or --url"
	isWaitlist := s.running != nil && strings.Contains(s.running.Command.HelpName, " waitlist ")
	if waitlist := s.env("SININHO_WAITLIST_URL"); waitlist != "" && isWaitlist {
		address, set = waitlist, "SININHO_WAITLIST_URL"
	}
	s.talk("sininho: cannot reach %s: %s", address, cause)
	s.talk("Is the server running? Set %s to its address.", set)
}

func flagFor(f sininho.FieldError) string {
	name, member, _ := strings.Cut(f.Name(), ".")
	switch {
	case name == "template" && member != "":
		return "--template, " + member
	case name == "plan" && member != "":
		member, _, _ = strings.Cut(member, ".")
		return flagsOfPlan[member]
	case name == "content" && member != "": // of a draft or a template
		name, _, _ = strings.Cut(member, ".")
	}
	if flag, known := flagsOfFields[name]; known {
		return flag
	}
	return f.Name()
}

// innermost returns the cause without the prefixes that packages added to it.
func innermost(err error) string {
	text := err.Error()
	if _, after, found := strings.Cut(text, sininho.ErrUnreachable.Error()+": "); found {
		return after
	}
	return text
}
