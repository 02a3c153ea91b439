// Package pictures shows readers the pictures of publishers without taking the readers there: it fetches a picture
// once, checks it, keeps it for a while, and serves it at an address of this server. A publisher sees neither who reads
// nor from where, and pictures at http addresses work on an https page.
//
//	address.go   the addresses that readers load, which only this server can make
//	proxy.go     the handler: what is served, and how
//	limit.go     how many pictures the readers of a network may have fetched
//	lookup.go    from an address to its picture: kept, or fetched among the quick ones, or then among the slow ones
//	lane.go      not too many fetches at a time: in all, of a site, for a network; quick ones apart from slow ones
//	slowness.go  which sites and networks are slow
//	flight.go    one fetch of a picture at a time, as long as somebody waits for it
//	trip.go      what a fetch does on its way, from site to site
//	fetch.go     the request to the publisher's server, through package guard
//	cache.go     the pictures and failures in memory
//	format.go    the formats and sizes that are passed on
//	gif.go       the size of a GIF
//	avif.go      the size of an AVIF
//	size.go      the sizes in which pictures are made small
//	small.go     a picture in a size: kept, or made among few at a time
//	shrink.go    from a file to a small one
//	jpeg.go      how much a JPEG takes to decode, and how it is turned
//	render.go    from an uploaded file to what is stored of it, in all sizes
//	uploads.go   the handler of uploaded pictures
//	s3.go        uploaded pictures in an S3-compatible store
//
// It passes on nothing of a reader's request, nothing of the publisher's response but the bytes, and only bytes that it
// recognizes as a picture of a size that browsers can decode. A small picture has nothing of the file but pixels: one
// that this package does not decode (AVIF, moving WebP, more than 48 MiB in memory) is passed on as it is. It never
// follows a connection into this server's network.
package pictures
