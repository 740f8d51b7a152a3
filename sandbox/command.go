package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Command types, as in the protocol.
const (
	commandSlash   = 1
	commandUser    = 2
	commandMessage = 3
	commandEntry   = 4
)

// perScope is how many commands of each type an application may have in one scope.
var perScope = map[int]int{commandSlash: 100, commandUser: 15, commandMessage: 15, commandEntry: 1}

// Command is a registered application command: Type 1 slash, 2 on users, 3 on messages.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Version                  string            `json:"version"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
	NSFW                     bool              `json:"nsfw"`
	Options                  []CommandOption   `json:"options,omitempty"`
}

// CommandOption is an option, subcommand or group of a command.
type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Choices                  []CommandChoice   `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	MinLength                *int64            `json:"min_length,omitempty"`
	MaxLength                *int64            `json:"max_length,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	FileTypes                []string          `json:"file_types,omitempty"`
}

// CommandChoice is a fixed value of an option: a string, an int64 or a float64.
type CommandChoice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations"`
	Value             any               `json:"value"`
}

// registry keeps the registered commands by scope: a guild's id, or "" for global ones. Guarded by Server.mu.
type registry struct {
	scopes map[string][]*Command
	day    map[string]*window // commands created in each scope
}

func newRegistry() registry {
	return registry{scopes: map[string][]*Command{}, day: map[string]*window{}}
}

// create counts new commands of a scope and refuses more than a day allows.
func (r *registry) create(scope string, n int, opt Options) *apiError {
	now := opt.Now()
	day := r.day[scope]
	if day == nil || !now.Before(day.ends) {
		day = &window{ends: now.Add(24 * time.Hour)}
		r.day[scope] = day
	}
	if n > 0 && day.used+n > opt.DailyCommands {
		return &apiError{
			status: http.StatusTooManyRequests, Code: codeManyCreates, limited: true, retryAfter: day.ends.Sub(now).Seconds(),
			Message: fmt.Sprintf("Max number of daily application command creates has been reached (%d)", opt.DailyCommands),
		}
	}
	day.used += n
	return nil
}

// Commands are the registered commands that a guild's people see: global ones and the guild's own; only global ones
// for an empty id.
func (s *Server) Commands(guildID string) []*Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commandsFor(guildID)
}

func (s *Server) commandsFor(guildID string) []*Command {
	out := slices.Clone(s.commands.scopes[""])
	if guildID != "" {
		out = append(slices.Clone(s.commands.scopes[guildID]), out...)
	}
	return out
}

// WaitForCommands waits until any command is registered, in whatever scope.
func (s *Server) WaitForCommands(ctx context.Context) error {
	for {
		changed := s.watch("commands")
		s.mu.Lock()
		n := 0
		for _, list := range s.commands.scopes {
			n += len(list)
		}
		s.mu.Unlock()
		if n > 0 {
			s.unwatch("commands", changed)
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.unwatch("commands", changed)
			return ctx.Err()
		}
	}
}

// scope checks the application and guild of a command route; Server.mu is held.
func (s *Server) scope(c *call) (string, *apiError) {
	if c.PathValue("application_id") != ApplicationID {
		return "", unknown(codeUnknownApplication, "Application")
	}
	guild := c.PathValue("guild_id")
	if guild != "" && s.world.guilds[guild] == nil {
		return "", unknown(codeUnknownGuild, "Guild")
	}
	return guild, nil
}

// replaced stores a scope's commands and tells everybody; Server.mu is held.
func (s *Server) replaced(scope string, list []*Command) {
	s.commands.scopes[scope] = list
	s.wake("commands")
	s.feed.publish(Event{Kind: CommandsChanged, At: s.opt.Now()})
}

// getCommands is GET …/commands.
func (s *Server) getCommands(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, bad := s.scope(c)
	if bad != nil {
		return answer{}, bad
	}
	out, locale := []any{}, wantedLocale(c.Header)
	for _, cmd := range s.commands.scopes[scope] {
		if c.truthy("with_localizations") {
			out = append(out, cmd)
			continue
		}
		out = append(out, plainNames(cmd, locale))
	}
	return ok(out)
}

// plainNames is a command as lists show it to a client of a language.
func plainNames(cmd *Command, locale string) map[string]any {
	var m map[string]any
	if json.Unmarshal(encode(cmd), &m) != nil {
		return nil
	}
	withoutDictionaries(m, locale)
	return m
}

// putCommands is PUT …/commands: replaces the scope.
func (s *Server) putCommands(c *call) (answer, *apiError) {
	list, isList := c.body.([]any)
	if !isList {
		return answer{}, formProblem("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, bad := s.scope(c)
	if bad != nil {
		return answer{}, bad
	}
	f := newForm()
	var cmds []*Command
	for i, v := range list {
		m, isObject := v.(map[string]any)
		path := []string{strconv.Itoa(i)}
		if !isObject {
			f.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
			continue
		}
		cmd := readCommand(node{form: f, path: path, m: m}, scope)
		if slices.ContainsFunc(cmds, cmd.same) {
			f.add(append(path, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		cmds = append(cmds, cmd)
	}
	if bad := f.err(); bad != nil {
		return answer{}, bad
	}
	if bad := overfull(cmds); bad != nil {
		return answer{}, bad
	}
	created := 0
	for _, cmd := range cmds {
		if !s.identify(cmd, scope) {
			created++
		}
	}
	if bad := s.commands.create(scope, created, s.opt); bad != nil {
		return answer{}, bad
	}
	s.replaced(scope, cmds)
	return ok(orEmpty(cmds))
}

// identify gives a command its ids: the old one when it overwrites one of its name. Server.mu is held.
func (s *Server) identify(cmd *Command, scope string) (overwrites bool) {
	cmd.ApplicationID, cmd.GuildID = ApplicationID, scope
	cmd.ID, cmd.Version = s.flake.next(), s.flake.next()
	for _, old := range s.commands.scopes[scope] {
		if cmd.same(old) {
			cmd.ID, overwrites = old.ID, true
		}
	}
	return overwrites
}

func (c *Command) same(o *Command) bool { return c.Type == o.Type && c.Name == o.Name }

// overfull refuses more commands than one scope may have.
func overfull(list []*Command) *apiError {
	count := map[int]int{}
	for _, cmd := range list {
		count[cmd.Type]++
		if count[cmd.Type] > perScope[cmd.Type] {
			return &apiError{
				status: http.StatusBadRequest, Code: codeManyCommands,
				Message: "Maximum number of application commands reached (" + strconv.Itoa(perScope[cmd.Type]) + ")",
			}
		}
	}
	return nil
}

// postCommand is POST …/commands: 201 for a new name, 200 when it overwrites one.
func (s *Server) postCommand(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, bad := s.scope(c)
	if bad != nil {
		return answer{}, bad
	}
	cmd := readCommand(n, scope)
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	status, created := http.StatusCreated, 1
	if s.identify(cmd, scope) {
		status, created = http.StatusOK, 0
	}
	list := slices.DeleteFunc(slices.Clone(s.commands.scopes[scope]), cmd.same)
	list = append(list, cmd)
	if bad := overfull(list); bad != nil {
		return answer{}, bad
	}
	if bad := s.commands.create(scope, created, s.opt); bad != nil {
		return answer{}, bad
	}
	s.replaced(scope, list)
	return answer{status, cmd}, nil
}

// commandOf finds the command of a route; Server.mu is held.
func (s *Server) commandOf(c *call) (string, int, *apiError) {
	scope, bad := s.scope(c)
	if bad != nil {
		return "", 0, bad
	}
	id := c.PathValue("command_id")
	i := slices.IndexFunc(s.commands.scopes[scope], func(cmd *Command) bool { return cmd.ID == id })
	if i < 0 {
		return "", 0, unknown(codeUnknownCommand, "application command")
	}
	return scope, i, nil
}

// getCommand is GET …/commands/{id}.
func (s *Server) getCommand(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, i, bad := s.commandOf(c)
	if bad != nil {
		return answer{}, bad
	}
	return ok(s.commands.scopes[scope][i])
}

// patchCommand is PATCH …/commands/{id}: fields that are not named stay.
func (s *Server) patchCommand(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, i, bad := s.commandOf(c)
	if bad != nil {
		return answer{}, bad
	}
	old := s.commands.scopes[scope][i]
	merged := &call{raw: encode(old), isJSON: true}
	if bad := merged.decode(); bad != nil {
		return answer{}, bad
	}
	m, bad := merged.object()
	if bad != nil {
		return answer{}, bad
	}
	for key, v := range n.m {
		if key != "type" {
			m.m[key] = v
		}
	}
	cmd := readCommand(m, scope)
	if bad := m.form.err(); bad != nil {
		return answer{}, bad
	}
	cmd.ApplicationID, cmd.GuildID, cmd.ID, cmd.Version = ApplicationID, scope, old.ID, s.flake.next()
	list := slices.Clone(s.commands.scopes[scope])
	list[i] = cmd
	s.replaced(scope, list)
	return ok(cmd)
}

// deleteCommand is DELETE …/commands/{id}.
func (s *Server) deleteCommand(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, i, bad := s.commandOf(c)
	if bad != nil {
		return answer{}, bad
	}
	list := s.commands.scopes[scope]
	s.replaced(scope, slices.Concat(list[:i], list[i+1:]))
	return nothing()
}
