// Package sampledata fills a database with believable data of any size, for benchmarks and for tests of query plans.
// The same sizes, seed and time give the same data, except for the secret of the API key. Channels have a Zipf share of
// the notifications and followers: few have most of them.
//
// Everything is loaded by COPY into a migrated, empty database. The loader must be a superuser, because it switches
// foreign keys off for the time of the load.
package sampledata
