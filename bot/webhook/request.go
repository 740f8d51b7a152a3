package webhook

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/slim"
)

const (
	// MaxBody is the largest body that is read, in bytes; Discord's are below 100 kB.
	MaxBody = 1 << 20
	// Window is how far a timestamp may be from the clock, to either side. Discord
	// has published no limit; what is older is taken for a recording.
	Window = 5 * time.Minute
)

// Headers of a signed request (Discord's reference, "Interactions Endpoint URL").
const (
	headerSignature = "X-Signature-Ed25519"
	headerTimestamp = "X-Signature-Timestamp"
)

// refusal is a request that is not taken, and what its sender is told.
type refusal struct {
	status int
	reason string
}

// read takes an interaction out of a request. The signature comes first: of a
// request without a right one nothing is looked at but its size. The body comes with
// it, for what is not in the interaction.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) (i *discordgo.Interaction, body []byte, fault *refusal) {
	if r.Method != http.MethodPost {
		return nil, nil, &refusal{http.StatusMethodNotAllowed, "interactions are posted"}
	}
	stamp := r.Header.Get(headerTimestamp)
	signature, err := hex.DecodeString(r.Header.Get(headerSignature))
	if err != nil || len(signature) != ed25519.SignatureSize {
		return nil, nil, &refusal{http.StatusUnauthorized, "no signature"}
	}
	if !h.recent(stamp) {
		return nil, nil, &refusal{http.StatusUnauthorized, "timestamp missing, or too far from now"}
	}
	signed, fault := readSigned(w, r, stamp)
	if fault != nil {
		return nil, nil, fault
	}
	if !ed25519.Verify(h.o.Key, signed, signature) {
		return nil, nil, &refusal{http.StatusUnauthorized, "wrong signature"}
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != jsonType {
		return nil, nil, &refusal{http.StatusUnsupportedMediaType, "interactions are " + jsonType}
	}
	body = signed[len(stamp):]
	i, fault = h.decode(r, body)
	return i, body, fault
}

// recent reports whether a timestamp, in seconds since 1970, is near the clock.
func (h *Handler) recent(stamp string) bool {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return false
	}
	const widest = 1 << 40 // beyond it a difference would not fit a time.Duration
	if seconds < 0 || seconds > widest {
		return false
	}
	return h.o.Now().Sub(time.Unix(seconds, 0)).Abs() <= Window
}

// readSigned reads the body and returns what the signature is over: the
// timestamp and then the body.
func readSigned(w http.ResponseWriter, r *http.Request, stamp string) ([]byte, *refusal) {
	tooLarge := &refusal{http.StatusRequestEntityTooLarge, "the body is over 1 MiB"}
	if r.ContentLength > MaxBody {
		w.Header().Set("Connection", "close")
		return nil, tooLarge
	}
	room := max(r.ContentLength, 0) + int64(len(stamp))
	signed := append(make([]byte, 0, room+1), stamp...) // and one more, to find the end without growing
	body := http.MaxBytesReader(w, r.Body, MaxBody)
	for {
		if len(signed) == cap(signed) {
			signed = append(signed, 0)[:len(signed)]
		}
		n, err := body.Read(signed[len(signed):cap(signed)])
		signed = signed[:len(signed)+n]
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			return signed, nil
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, tooLarge
		}
		return nil, &refusal{http.StatusBadRequest, "the body could not be read"}
	}
}

// decode reads an interaction. One whose parts cannot all be read is taken all the
// same when it can be answered, as those that come over the gateway are.
func (h *Handler) decode(r *http.Request, body []byte) (*discordgo.Interaction, *refusal) {
	i := new(discordgo.Interaction)
	if err := i.UnmarshalJSON(slim.Message(body, "message")); err != nil {
		if i.ID == "" || i.Token == "" {
			return nil, &refusal{http.StatusBadRequest, "not an interaction"}
		}
		h.o.Log.WarnContext(r.Context(), "interaction read in part", "interaction", i.ID, "error", err)
	}
	switch i.Type {
	case discordgo.InteractionPing:
		return i, nil
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent,
		discordgo.InteractionApplicationCommandAutocomplete, discordgo.InteractionModalSubmit:
		if i.ID != "" {
			return i, nil
		}
	}
	return nil, &refusal{http.StatusBadRequest, "not an interaction"}
}
