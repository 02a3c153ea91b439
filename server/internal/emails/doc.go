// Package emails renders emails in one form, and sends them as River jobs that are tried again.
package emails
