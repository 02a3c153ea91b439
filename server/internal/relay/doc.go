// Package relay carries signals between nodes over NATS, where PostgreSQL's NOTIFY, which every node hears, is not
// enough.
//
// Each channel and each subscriber has a subject, and a node subscribes to those that its streams need. Core NATS may
// lose messages, and a node that is not connected receives none. What must arrive, such as the end of a credential,
// therefore goes through PostgreSQL in any case, and a node that receives nothing still looks for changes in the
// database. Messages contain only ids and positions, never a notification.
package relay
