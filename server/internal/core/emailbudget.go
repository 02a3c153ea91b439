package core

import (
	"fmt"
	"time"
)

// EmailBudget is how many emails a day an installation sends. When it is nearly used up, emails that matter more still
// go.
type EmailBudget int

// EmailPriority is the share of the budget, in percent, that emails of a kind leave unused for others.
type EmailPriority int

// The priorities, the most important first.
const (
	EmailToKnownBrowser EmailPriority = 100 // codes for browsers in which the person has signed in before
	EmailCode           EmailPriority = 90  // other codes to sign in with
	EmailOther          EmailPriority = 80
)

// Until returns how many emails have been sent in a day when no more of a priority are sent.
func (b EmailBudget) Until(p EmailPriority) int64 {
	return int64(b)/100*int64(p) + (int64(b)%100*int64(p)+99)/100
}

// networkShare is the share of the budget that strangers of one network can use, in percent.
const networkShare = 5

// leastForNetwork is how many emails a day a network gets of any budget.
const leastForNetwork = 20

// ForNetwork returns how many emails a day the strangers of one network can ask for.
func (b EmailBudget) ForNetwork() int { return max(leastForNetwork, int(b)*networkShare/100) }

// EmailBudgetWindow is the time over which emails are counted.
const EmailBudgetWindow = 24 * time.Hour

// ErrEmailsUsedUp returns the error for a code when the installation has sent as many emails as it may.
func ErrEmailsUsedUp() *Error {
	return &Error{Code: CodeRateLimited, RetryAfter: time.Hour, Detail: Text{
		EN: "This installation has sent as many emails as it may today. Sign in with another device, in a browser in" +
			" which you have signed in before, or try again in an hour.",
		PT: "Esta instalação já enviou os e-mails que pode enviar hoje. Entre com outro dispositivo, num navegador em" +
			" que já tenha entrado, ou tente novamente daqui a uma hora."}}
}

// ErrTooManyEmailsForNetwork returns the error for a network whose strangers asked for as many emails as they may.
func ErrTooManyEmailsForNetwork(wait time.Duration) *Error {
	hours := int(wait.Hours()) + 1
	return &Error{Code: CodeRateLimited, RetryAfter: wait, Detail: Text{
		EN: fmt.Sprintf("Too many emails were asked for from your network. Try again in %d hours.", hours),
		PT: fmt.Sprintf("A partir da sua rede já foram pedidos demasiados e-mails. Tente novamente daqui a %d horas.",
			hours)}}
}
