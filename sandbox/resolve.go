package sandbox

import "slices"

// resolver is an invocation without a command, to resolve ids with.
func (s *Server) resolver(p Seat) *invocation {
	return &invocation{
		server: s, seat: p, users: map[string]any{}, members: map[string]any{}, channels: map[string]any{}, files: map[string]any{},
	}
}

// resolveAll resolves the values of a select menu by its type, and turns the names among them into ids.
func (v *invocation) resolveAll(menu int, values []string) error {
	for i, value := range values {
		switch menu {
		case TypeUserSelect, TypeMentionableSelect:
			id, err := v.readUser(value)
			if err != nil {
				return err
			}
			if err := v.resolveUser(id); err != nil {
				return err
			}
			values[i] = id
		case TypeChannelSelect:
			id, err := v.readChannel(value)
			if err != nil {
				return err
			}
			if err := v.resolveChannel(id); err != nil {
				return err
			}
			values[i] = id
		}
	}
	return nil
}

// resolveUser adds an account to what the bot gets along with its id.
func (v *invocation) resolveUser(id string) error {
	p := v.server.world.people[id]
	if p == nil {
		return refuse("there is no user %s", id)
	}
	v.users[id] = p.user.wire()
	g := v.seat.channel.guild
	if g == nil {
		return nil
	}
	if mb := g.members[id]; mb != nil {
		m := mb.wire(false)
		m["permissions"] = bits(mb.permissions)
		v.members[id] = m
	}
	return nil
}

func (v *invocation) resolveChannel(id string) error {
	c := v.server.world.channels[id]
	if c == nil {
		return refuse("there is no channel %s", id)
	}
	v.channels[id] = c.partial()
	return nil
}

// resolveFile uploads a file, whose id is then the option's value.
func (v *invocation) resolveFile(o CommandOption, given any) (string, error) {
	f, ok := given.(File)
	switch {
	case !ok:
		return "", refuse("option %q takes a file", o.Name)
	case len(f.Data) > maxFile:
		return "", refuse("the file for option %q is too large", o.Name)
	case len(o.FileTypes) > 0 && !slices.ContainsFunc(o.FileTypes, f.is):
		return "", refuse("option %q does not take files like %s", o.Name, f.Name)
	}
	a := v.server.store(f)
	w := a.wire()
	w["ephemeral"] = true
	v.files[a.ID] = w
	return a.ID, nil
}

// resolved are the objects behind the ids; nil for none.
func (v *invocation) resolved() map[string]any {
	out := map[string]any{}
	for key, objects := range map[string]map[string]any{
		"users": v.users, "members": v.members, "channels": v.channels, "attachments": v.files,
	} {
		if len(objects) > 0 {
			out[key] = objects
		}
	}
	return out
}
