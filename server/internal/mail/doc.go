// Package mail sends emails by SMTP. It knows nothing about their content and stores none of them.
package mail
