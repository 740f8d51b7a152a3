// Command fixed is a bot without a game: whatever is asked of it, it answers with the same board of gomoku, as Rowbot
// writes it. It stands on discordgo alone, set as Rowbot sets it (no state, no compression), and keeps nothing: what it
// costs is what any bot costs that answers with such a message. `rowbot load --compare-with` measures Rowbot against it.
//
// Nothing imports it.
package main

import (
	_ "embed"
	"encoding/json"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/bwmarrin/discordgo"
)

// board is the components of a board of 15x15 with 20 stones.
//
//go:embed board.json
var board []byte

// written is a component that is JSON already.
type written struct{ json.RawMessage }

// Type says that it stands at the top of a message.
func (written) Type() discordgo.ComponentType { return discordgo.ContainerComponent }

func main() {
	if err := run(); err != nil {
		slog.Error("fixed", "error", err)
		os.Exit(1)
	}
}

func run() error {
	discordgo.EndpointAPI = os.Getenv("ROWBOT_DISCORD_API_URL") + "/v10/"
	discordgo.EndpointGateway = discordgo.EndpointAPI + "gateway"
	discordgo.EndpointGatewayBot = discordgo.EndpointGateway + "/bot"
	discordgo.EndpointUsers = discordgo.EndpointAPI + "users/"
	discordgo.EndpointApplications = discordgo.EndpointAPI + "applications"
	discordgo.APIVersion = "10"
	data, err := answerData()
	if err != nil {
		return err
	}
	s, err := discordgo.New("Bot " + os.Getenv("ROWBOT_DISCORD_TOKEN"))
	if err != nil {
		return err
	}
	s.StateEnabled, s.Compress, s.Identify.Compress, s.Identify.Intents = false, false, false, discordgo.IntentsNone
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		answer := discordgo.InteractionResponse{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: data}
		if i.Type == discordgo.InteractionMessageComponent {
			answer.Type = discordgo.InteractionResponseUpdateMessage
		}
		if err := s.InteractionRespond(i.Interaction, &answer); err != nil {
			slog.Error("answer", "error", err)
		}
	})
	if err := register(s); err != nil {
		return err
	}
	if err := s.Open(); err != nil {
		return err
	}
	defer s.Close()
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	<-end
	return nil
}

// answerData is the board as an answer.
func answerData() (*discordgo.InteractionResponseData, error) {
	var parts []written
	if err := json.Unmarshal(board, &parts); err != nil {
		return nil, err
	}
	data := &discordgo.InteractionResponseData{
		Flags: discordgo.MessageFlagsIsComponentsV2, AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
	}
	for _, p := range parts {
		data.Components = append(data.Components, p)
	}
	return data, nil
}

// register makes the commands that the load uses.
func register(s *discordgo.Session) error {
	me, err := s.User("@me")
	if err != nil {
		return err
	}
	bot := []*discordgo.ApplicationCommandOption{{
		Type: discordgo.ApplicationCommandOptionSubCommand, Name: "bot", Description: "Show the board",
	}}
	for game := range strings.FieldsSeq("ttt gomoku") {
		command := &discordgo.ApplicationCommand{Name: game, Description: "A board that never changes", Options: bot}
		if _, err := s.ApplicationCommandCreate(me.ID, "", command); err != nil {
			return err
		}
	}
	return nil
}
