package servertest_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// request returns the bytes of a request: of a shape that is known to confuse servers, or a request with some of its
// bytes changed, or the beginning of one.
func (r *rawClient) request(dice *rand.Rand) []byte {
	plain := r.plain(dice)
	switch n := dice.IntN(10); {
	case n < 5:
		return r.shape(dice)
	case n < 9:
		return mutated(dice, plain)
	default:
		return plain[:dice.IntN(len(plain))]
	}
}

func pick[T any](dice *rand.Rand, from []T) T { return from[dice.IntN(len(from))] }

// plain returns a request as a client would send it.
func (r *rawClient) plain(dice *rand.Rand) []byte {
	get := []string{"/", "/docs", "/livez", "/readyz", "/api/v1/channels?q=a&limit=2", "/api/v1/subscribers/me",
		"/api/v1/subscribers/notifications?unread=true", "/api/v1/channels/p/c", "/api/v1/auth", "/pictures/x/y",
		"/api/v1/openapi.json", "/.well-known/security.txt", "/api/v1/waitlist/entries/x"}
	if dice.IntN(2) == 0 {
		return r.raw(pick(dice, []string{"GET", "HEAD"}), pick(dice, get), "", "")
	}
	body := pick(dice, []string{`{"title":"Olá","data":{"a":"b"}}`, `{"email":"ana@example.com"}`, `{"name":"x"}`})
	path := pick(dice, []string{"/api/v1/channels/p/c/notifications", "/api/v1/waitlist/entries",
		"/api/v1/subscribers/me", "/api/v1/webhooks/channels/" + r.f.webhook.ID, "/api/v1/channels"})
	if dice.IntN(3) == 0 {
		return r.raw("POST", path, "Transfer-Encoding: chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body))
	}
	return r.raw(pick(dice, []string{"POST", "PATCH", "PUT"}), path,
		fmt.Sprintf("Content-Length: %d\r\n", len(body)), body)
}

// raw returns a request with the usual headers and others.
func (r *rawClient) raw(method, target, header, body string) []byte {
	return []byte(method + " " + target + " HTTP/1.1\r\nHost: " + r.addr + "\r\nCookie: " + r.cookie +
		"\r\nContent-Type: application/json\r\nConnection: close\r\n" + header + "\r\n" + body)
}

// mutated returns a request after one to four changes of bytes.
func mutated(dice *rand.Rand, request []byte) []byte {
	for range 1 + dice.IntN(4) {
		at := dice.IntN(len(request) + 1)
		end := min(len(request), at+1+dice.IntN(8))
		switch dice.IntN(4) {
		case 0:
			request = slices.Concat(request[:at], request[end:])
		case 1:
			request = slices.Concat(request[:end], request[at:])
		case 2:
			request = slices.Concat(request[:at], []byte(pick(dice, splinters)), request[at:])
		default:
			request = bytes.Clone(request)
			if at < len(request) {
				request[at] = byte(dice.IntN(256))
			}
		}
		if len(request) == 0 {
			return []byte("\r\n")
		}
	}
	return request
}

// splinters have a meaning in HTTP or in a URL.
var splinters = []string{
	"\r\n", "\n", "\r", "\r\n\r\n", "\x00", "\t", " ", ":", ";", ",", "%", "%00", "%2f", "%ff", "../", "//", "\\",
	"?", "#", "&", "=", "*", "\"", "Host: x\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "\r\n ",
	"0\r\n\r\n", "HTTP/1.1", "\xff\xfe", "é", "99999999999999999999", "-1",
}

// shape returns a request of a shape that servers are known to be confused by.
func (r *rawClient) shape(dice *rand.Rand) []byte {
	const body = `{"title":"x"}`
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	shapes := []func() []byte{
		func() []byte { return r.raw("GET", "/api/v1"+pick(dice, oddPaths), "", "") },
		func() []byte { return r.raw("GET", pick(dice, oddTargets), "", "") },
		func() []byte { return r.raw(pick(dice, oddMethods), "/api/v1/channels", "", "") },
		func() []byte { return r.raw("GET", "/api/v1/subscribers/me", pick(dice, oddHeaders), "") },
		func() []byte { return r.raw("GET", pick(dice, []string{"/", "/docs"}), pick(dice, oddHeaders), "") },
		func() []byte {
			return r.raw("POST", "/api/v1/channels/p/c/notifications", length+pick(dice, oddHeaders), body)
		},
		func() []byte {
			return r.raw("POST", "/api/v1/channels/p/c/notifications", pick(dice, oddLengths), body)
		},
		func() []byte {
			chunked := pick(dice, oddEncodings)
			return r.raw("POST", "/api/v1/channels/p/c/notifications", chunked, pick(dice, oddChunks))
		},
		func() []byte { // CL.TE and TE.CL
			hidden := "GET /api/v1/admin/reports HTTP/1.1\r\nHost: x\r\n\r\n"
			headers := []string{"Content-Length: 4\r\n", pick(dice, oddEncodings)}
			dice.Shuffle(2, func(i, j int) { headers[i], headers[j] = headers[j], headers[i] })
			return r.raw("POST", "/api/v1/waitlist/entries", headers[0]+headers[1], "0\r\n\r\n"+hidden)
		},
		func() []byte {
			size := 1 << (8 + dice.IntN(10))
			return r.raw("GET", "/api/v1/channels", "X-Long: "+strings.Repeat("a", size)+"\r\n", "")
		},
		func() []byte {
			return r.raw("GET", "/api/v1/channels", strings.Repeat("X-Many: a\r\n", 1+dice.IntN(10_000)), "")
		},
		func() []byte {
			return r.raw("GET", "/"+strings.Repeat(pick(dice, splinters), 1+dice.IntN(9_000)), "", "")
		},
		func() []byte {
			return r.raw("GET", "/api/v1/channels?"+strings.Repeat("q=a&", 1+dice.IntN(9_000)), "", "")
		},
		func() []byte { return []byte(pick(dice, otherProtocols)) },
		func() []byte {
			random := make([]byte, dice.IntN(3_000))
			for i := range random {
				random[i] = byte(dice.IntN(256))
			}
			return random
		},
		func() []byte { // another line ending
			return bytes.ReplaceAll(r.plain(dice), []byte("\r\n"), []byte(pick(dice, []string{"\n", "\r", "\n\r", "\r\r\n"})))
		},
		func() []byte {
			authorization := pick(dice, []string{"Bearer ", "bearer\t", "Bearer  ", "Basic ", ""}) + r.key
			return []byte("GET /api/v1/auth HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: " + authorization +
				pick(dice, []string{"", "\x7f", ",", " x", "\r\nAuthorization: Bearer x"}) + "\r\n\r\n")
		},
	}
	return pick(dice, shapes)()
}

var oddPaths = []string{
	"/%", "/%z", "/%zz", "/%00", "/%ff", "/%c0%af", "/channels/%2e%2e/x", "/channels/..%2f..%2fx", "/channels/p%2fc",
	"/channels/p/c/", "//channels", "/./channels", "/../channels", "/channels;a=b", "/channels/%ed%a0%80/c",
	"/channels/p/c/notifications/%", "/webhooks/channels/%00", "/webhooks/channels/..", "/publishers/\xff",
	"/channels?q=%", "/channels?q=%ff", "/channels?q=%00", "/channels?limit=1&limit=2", "/channels?limit",
	"/channels?&&&", "/channels??", "/channels?q=a;b", "/channels?=", "/channels#x",
	"/channels?q=" + strings.Repeat("%F0%9F%94%94", 300), "/channels?limit=%31", "/%63hannels", "/channels?%6cimit=1",
	"/channels/p/c\x00", "/channels/ p", "/channels\t", "/subscribers/notifications?cursor=////",
	"/subscribers/notifications?cursor=%00", "/categories/{id}",
}

var oddTargets = []string{
	"*", "http://example.com/api/v1/channels", "http://example.com:99999/", "https://[::1/", "http://",
	"http:///api/v1/channels", "ftp://x/", "x", "example.com:443", "", "//", "///", "//example.com/api/v1", "\\api",
	"/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/docs/../api/v1/channels", "/docs/%2e%2e%2fapi",
	"/docs/\x00", "/assets/%", "/assets/..%5c..", "/index.html?%", "/.git/config", "/pictures/%/x",
	"/pictures/a/http:%2f%2fx", "http://user:pass@example.com/", "javascript:alert(1)", "/api/v1/channels HTTP/1.1",
	"?q", "#", ":", "[::1]", "%2f",
}

var oddMethods = []string{
	"get", "G E T", "", "GET\x00", "GÉT", "BREW", "CONNECT", "TRACE", "OPTIONS", "PRI", "PROPFIND", "M-SEARCH",
	"\"GET\"", "GET\t", "(", strings.Repeat("A", 300), strings.Repeat("A", 70_000), "-", "GET,POST", "\xff",
}

var oddHeaders = []string{
	"Host: x\r\n", "Host:\r\n", "Content-Length: 0\r\nContent-Length: 5\r\n", "Content-Type: text/plain\r\n",
	"Content-Type: application/json; charset=\"\r\n", "Content-Type: ;;;\r\n", "Cookie: __Host-sininho=x\r\n",
	"Cookie: =;=;;\"\r\n", "Authorization: Bearer\r\n", "Authorization: Bearer x\r\nAuthorization: Bearer y\r\n",
	"Idempotency-Key: a\r\nIdempotency-Key: b\r\n", "Idempotency-Key: \xff\r\n", "If-Match: \"\r\n",
	"If-Match: *, *\r\n", "If-Match: \"zzzzzzzzzzzzzzzzzzzzzzz\"\r\n", "If-None-Match: *\r\n", "Range: bytes=-\r\n",
	"Range: bytes=0-0,1-1,2-2\r\n", "Range: bytes=99999999999999999999-\r\n",
	"Accept-Language: " + strings.Repeat("pt-", 2000) + "x\r\n", "Accept-Language: x;q=999,*;q=-1,pt;q=\r\n",
	"Accept-Language: a-DE-u-co-phonebk-x-\xff\r\n", "Accept-Encoding: ,;q=,\r\n", "X-Request-Id: \r\n",
	"X-Request-Id: a b\r\n", "X-Request-Id: " + strings.Repeat("x", 200) + "\r\n",
	"X-Forwarded-For: 1.2.3.4, x, ::1%eth0\r\n", "Forwarded: for=\"[\r\n", "Origin: null\r\n", "Origin: http://[\r\n",
	"Sec-Fetch-Site: cross-site\r\n", "Expect: 100-continue\r\n", "Expect: a-miracle\r\n",
	"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", "Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n",
	"Connection: Upgrade, close, keep-alive\r\n", "Connection: Host, Cookie\r\n",
	"Connection: keep-alive\r\nKeep-Alive: x\r\n", " folded: x\r\n", "X: a\r\n b\r\n", "X : a\r\n", ": a\r\n",
	"X\r\n", "X: \x00\r\n", "X: \x7f\r\n", "X\x00: a\r\n", "X_Y: a\r\n", "É: a\r\n", "Trailer: Host\r\n",
	"TE: trailers\r\n", "Via: x\r\n", "Last-Event-ID: -1\r\n", "Last-Event-ID: 99999999999999999999\r\n",
	"If-Modified-Since: x\r\n", "User-Agent: \xff\xfe\r\n", "User-Agent: " + strings.Repeat("é", 9000) + "\r\n",
	"Webhook-Id: \r\nWebhook-Timestamp: x\r\n", "Content-Encoding: gzip\r\n",
	"Method: x\r\nX-HTTP-Method-Override: DELETE\r\n", "Proxy-Connection: close\r\n",
}

var oddLengths = []string{
	"", "Content-Length: \r\n", "Content-Length: -1\r\n", "Content-Length: +13\r\n", "Content-Length: 013\r\n",
	"Content-Length: 0x0d\r\n", "Content-Length: 13, 13\r\n", "Content-Length: 13\r\nContent-Length: 13\r\n",
	"Content-Length: 13\r\nContent-Length: 14\r\n", "Content-Length: 1\r\n", "Content-Length: 14\r\n",
	"Content-Length: 99999999999999999999\r\n", "Content-Length: 9223372036854775807\r\n", "Content-Length: 1 3\r\n",
	"Content-Length: 13 \r\n", "Content-Length : 13\r\n", "content-length: 13\r\n", "Content-Length:13\r\n",
	"Content-Length: x\r\n", "Content-Length:\r\n 13\r\n", "Content_Length: 13\r\n", "Content-Length: 0\r\n",
}

var oddEncodings = []string{
	"Transfer-Encoding: chunked\r\n", "Transfer-Encoding : chunked\r\n", "Transfer-Encoding: xchunked\r\n",
	"Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: gzip, chunked\r\n",
	"Transfer-Encoding:\tchunked\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
	"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding:\r\n chunked\r\n",
	"transfer-encoding: CHUNKED\r\n", "Transfer-Encoding: \"chunked\"\r\n",
	"X: a\r\nTransfer-Encoding: chunked\x00\r\n", "Transfer-Encoding: \r\n", "Transfer-Encoding: identity\r\n",
}

var oddChunks = []string{
	"0\r\n\r\n", "d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n", "d;a=\"b\r\n{\"title\":\"x\"}\r\n0\r\n\r\n", "-1\r\n",
	"x\r\n", "ffffffffffffffff\r\nx", "7fffffffffffffff\r\nx", "10000000000000000\r\n", "d\n{\"title\":\"x\"}\n0\n\n",
	"d\r\n{\"title\":\"x\"}0\r\n\r\n", "5\r\n{\"tit\r\n8\r\nle\":\"x\"}\r\n0\r\n\r\n",
	"0\r\nHost: x\r\nContent-Length: 5\r\n\r\n", "0\r\nX: " + strings.Repeat("a", 70_000) + "\r\n\r\n",
	"0x0d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n", " d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n",
	"000000000000000000000d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n",
	"d;" + strings.Repeat("x", 20_000) + "\r\n{\"title\":\"x\"}\r\n0\r\n\r\n", "\r\n", "", "1\r\n{\r\n", "0\r\n",
	"0\r\n\r\n0\r\n\r\n",
}

var otherProtocols = []string{
	"GET /\r\n", "GET /\n", "GET\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/0.9\r\n\r\n",
	"GET / HTTP/2.0\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "GET / http/1.1\r\nHost: x\r\n\r\n",
	"GET / HTTP/1.1 \r\nHost: x\r\n\r\n", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
	"GET / HTTP/1\r\nHost: x\r\n\r\n", "GET / HTTP/1.12345678901234567890\r\nHost: x\r\n\r\n",
	"\r\n\r\nGET / HTTP/1.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
	"PRI * HTTP/2.0\r\n\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.0\r\n\r\n",
	"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "SSH-2.0-x\r\n",
	"EHLO x\r\n", "*1\r\n$4\r\nPING\r\n", "\x00\x00\x00\x08\x04\xd2\x16\x2f", "", "\x00", "\xff\xff\xff\xff",
	"HTTP/1.1 200 OK\r\n\r\n", "{}", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
}
