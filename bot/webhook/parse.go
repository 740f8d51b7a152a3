package webhook

import (
	"encoding/json"

	"github.com/bwmarrin/discordgo"
)

// plain is discordgo's interaction without its own decoding.
type plain discordgo.Interaction

// received is an interaction as it came. Its fields stand before those of plain.
type received struct {
	plain
	Data    json.RawMessage `json:"data"`
	Message *carrier        `json:"message"`
}

// carrier is what an answer needs to know of the message whose component was used.
// discordgo would decode that whole message, which takes longer than all the rest
// of a click: each part of each component two times over.
type carrier struct {
	ID        string                 `json:"id"`
	ChannelID string                 `json:"channel_id"`
	Flags     discordgo.MessageFlags `json:"flags"`
}

// parse decodes an interaction as discordgo does, but of a message in it only the
// ID, the channel and the flags. With an error comes what could be read.
func parse(body []byte) (*discordgo.Interaction, error) {
	var r received
	err := json.Unmarshal(body, &r)
	i := discordgo.Interaction(r.plain)
	if r.Message != nil {
		i.Message = &discordgo.Message{ID: r.Message.ID, ChannelID: r.Message.ChannelID, Flags: r.Message.Flags}
	}
	if err == nil {
		i.Data, err = parseData(i.Type, r.Data)
	}
	return &i, err
}

// parseData decodes what an interaction of a kind is about; a PING is about nothing.
func parseData(kind discordgo.InteractionType, raw json.RawMessage) (discordgo.InteractionData, error) {
	switch kind { //nolint:exhaustive // the others have none
	case discordgo.InteractionApplicationCommand, discordgo.InteractionApplicationCommandAutocomplete:
		return data[discordgo.ApplicationCommandInteractionData](raw)
	case discordgo.InteractionMessageComponent:
		return data[discordgo.MessageComponentInteractionData](raw)
	case discordgo.InteractionModalSubmit:
		return data[discordgo.ModalSubmitInteractionData](raw)
	}
	return nil, nil
}

// data decodes into T; none comes with an error.
func data[T discordgo.InteractionData](raw json.RawMessage) (discordgo.InteractionData, error) {
	var d T
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	return d, nil
}
