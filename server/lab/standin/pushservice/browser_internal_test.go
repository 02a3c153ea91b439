package pushservice

import (
	"bufio"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// browser acts as Chromium does.
type browser struct {
	t          *testing.T
	s          *Service
	id, secret uint64
	key        *ecdh.PrivateKey
	auth       []byte

	conn   net.Conn
	reader *bufio.Reader
	read   uint64 // messages read of this stream
}

func start(t *testing.T) *Service {
	t.Helper()
	s, err := Start(t.Context())
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	return s
}

func newBrowser(t *testing.T, s *Service) *browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatalf("generate a key: %v", err)
	}
	b := &browser{t: t, s: s, key: key, auth: []byte("0123456789abcdef")}
	t.Cleanup(b.disconnect)
	b.id, b.secret = b.checkin(nil)
	return b
}

func (b *browser) post(path, kind, body string, header ...string) string {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.s.URL()+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatalf("build the request: %v", err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	tr := &http.Transport{DisableKeepAlives: true}
	res, err := tr.RoundTrip(r)
	if err != nil {
		b.t.Fatalf("request: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	response, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("POST %s: got status %d and %v, want 200", path, res.StatusCode, err)
	}
	return string(response)
}

func (b *browser) checkin(ask buffer) (id, secret uint64) {
	b.t.Helper()
	f, err := readFields([]byte(b.post("/checkin", "application/x-protobuf", string(ask))))
	if err != nil || f.numbers[1] != 1 {
		b.t.Fatalf("check-in: got %+v, %v; want success", f, err)
	}
	if id, secret = f.numbers[7], f.numbers[8]; id == 0 || secret == 0 {
		b.t.Fatalf("check-in: got id %d and secret %d, want neither zero", id, secret)
	}
	return id, secret
}

func (b *browser) register(more url.Values) string {
	b.t.Helper()
	form := url.Values{
		"app": {"com.chrome"}, "X-subtype": {"wp:https://localhost/#1"}, "sender": {"vapid"},
		"device": {fmt.Sprint(b.id)},
	}
	for k, v := range more {
		form[k] = v
	}
	return b.post("/register", "application/x-www-form-urlencoded", form.Encode(), "Authorization",
		fmt.Sprintf("AidLogin %d:%d", b.id, b.secret))
}

// subscribe does what PushManager.subscribe does.
func (b *browser) subscribe() Subscription {
	b.t.Helper()
	token, ok := strings.CutPrefix(b.register(nil), "token=")
	if !ok {
		b.t.Fatal("register: got an error, want a token")
	}
	return Subscription{
		Endpoint: "https://fcm.googleapis.com/fcm/send/" + token,
		P256dh:   base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()),
		Auth:     base64.URLEncoding.EncodeToString(b.auth),
	}
}

// connect opens the stream and logs in.
func (b *browser) connect(has ...string) {
	b.t.Helper()
	b.disconnect()
	login := buffer{}.text(1, "chrome-1").text(2, "mcs.android.com").text(3, fmt.Sprint(b.id)).
		text(5, fmt.Sprint(b.secret))
	for _, id := range has {
		login = login.text(10, id)
	}
	conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(b.t.Context(), "tcp",
		b.s.stream.Addr().String())
	if err != nil {
		b.t.Fatalf("dial: %v", err)
	}
	b.conn, b.reader = conn, bufio.NewReader(conn)
	b.read = 0
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := conn.Write(append([]byte{version}, frame(tagLogin, login)...)); err != nil {
		b.t.Fatalf("write to the connection: %v", err)
	}
	if v, err := b.reader.ReadByte(); err != nil || v != version {
		b.t.Fatalf("protocol version: got %d, %v; want %d", v, err, version)
	}
	if f := b.expect(tagLoginResponse); f.numbers[6] != 1 {
		b.t.Errorf("login response: got %+v, want one message received", f)
	}
}

func (b *browser) disconnect() {
	if b.conn != nil {
		_ = b.conn.Close()
	}
}

func (b *browser) expect(want byte) fields {
	b.t.Helper()
	tag, f, err := readFrame(b.reader)
	if err != nil || tag != want {
		b.t.Fatalf("next message: got tag %d, %v; want tag %d", tag, err, want)
	}
	b.read++
	return f
}

// receive reads a push and returns its id and its decrypted payload.
func (b *browser) receive() (id, payload string) {
	b.t.Helper()
	f := b.expect(tagData)
	var data []string
	for _, entry := range f.texts[7] {
		kv, err := readFields([]byte(entry))
		if err != nil {
			b.t.Fatalf("decode the stanza: %v", err)
		}
		data = append(data, kv.text(1)+"="+kv.text(2))
	}
	if from, category := f.text(3), f.text(5); from != "vapid" || category != "com.chrome" {
		b.t.Errorf("stanza: got from %q and category %q, want vapid and com.chrome", from, category)
	}
	want := []string{"subtype=wp:https://localhost/#1", "content-encoding=aes128gcm"}
	if diff := cmp.Diff(want, data); diff != "" {
		b.t.Errorf("app data of the stanza (-want +got):\n%s", diff)
	}
	return f.text(9), b.decrypt([]byte(f.text(21)))
}

func (b *browser) decrypt(in []byte) string {
	b.t.Helper()
	text, err := open(b.key, b.auth, in)
	if err != nil {
		b.t.Fatalf("decrypt: %v", err)
	}
	return string(text)
}

// ping sends a heartbeat, which acknowledges the messages read, and waits for the reply.
func (b *browser) ping() {
	b.t.Helper()
	if _, err := b.conn.Write(frame(tagPing, buffer{}.int(1, 2).int(2, b.read))); err != nil {
		b.t.Fatalf("write to the stream: %v", err)
	}
	b.expect(tagPong)
}
