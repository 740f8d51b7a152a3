package sandbox

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// Headers of a signed request.
const (
	headerSignature = "X-Signature-Ed25519"
	headerTimestamp = "X-Signature-Timestamp"
)

// signingKey is the private half of VerifyKey. It signs nothing but the stand-in's own requests, so it is no secret.
func signingKey() ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("the sandbox's signing key, known to everybody"))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Sign puts the headers of a request with a body into h, signed at a time as
// Discord does it: the timestamp's text and then the body. It is for tests and
// programs that post interactions of their own to an endpoint.
func Sign(h http.Header, body []byte, at time.Time) { signAs(h, body, at, signingKey()) }

// sign signs a body now.
func (s *Server) sign(h http.Header, body []byte) {
	signAs(h, body, s.opt.Now(), s.outlet.key)
}

func signAs(h http.Header, body []byte, at time.Time, key ed25519.PrivateKey) {
	stamp := strconv.FormatInt(at.Unix(), 10)
	h.Set(headerTimestamp, stamp)
	h.Set(headerSignature, hex.EncodeToString(ed25519.Sign(key, append([]byte(stamp), body...))))
}

// forge signs a body wrongly, each time in another way.
func (s *Server) forge(h http.Header, body []byte) {
	s.outlet.mu.Lock()
	way := s.outlet.forged
	s.outlet.forged++
	s.outlet.mu.Unlock()
	s.sign(h, body)
	switch way % 6 {
	case 0: // another key
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err == nil {
			signAs(h, body, s.opt.Now(), key)
		}
	case 1: // another body
		s.sign(h, append([]byte(" "), body...))
	case 2: // another time
		h.Set(headerTimestamp, strconv.FormatInt(s.opt.Now().Unix()+1, 10))
	case 3: // no signature
		h.Del(headerSignature)
		h.Del(headerTimestamp)
	case 4: // not hexadecimal
		h.Set(headerSignature, "not a signature")
	case 5: // too short
		h.Set(headerSignature, h.Get(headerSignature)[:64])
	}
}
