// Package template makes notifications of what senders post: by the templates in senders, which are known by sender and
// kind of event, or by an owner's own. Templates are in Liquid.
//
// Whoever writes a template and whoever posts a payload may mean harm. A template reads the payload and the telling
// headers and nothing else: no file, no setting, no other event. What it may cost is bounded in steps, bytes and time (see
// meter), loops are bounded with it, and a panic below is an error of the template. It never writes, and never sends.
package template
