package load

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"rowbot/sandbox"
)

// firstGuild is the millisecond, counted as snowflakes do, in which the first server was made. Each further one is a
// millisecond younger, so that they spread evenly over any number of shards, as those of many years do.
const firstGuild = 284012568000

// hall is all of the stand-in's world: servers with a channel each, and people in the first of them.
type hall struct {
	rooms  []*room
	tables []*table
}

// room is a server in which people meet, with those who sit at no table just now.
type room struct {
	guild   string
	channel *sandbox.Channel

	mu    sync.Mutex
	bench []*sandbox.Person
	// ghosts are pairs between whom a challenge may stand that nobody could answer, since its answer got lost.
	ghosts map[[2]string]bool
	luck   *rand.Rand
}

// newHall makes the servers and the people, who are spread over as many servers as have room for two or more of them.
func newHall(discord *sandbox.Server, o Options) *hall {
	h := &hall{}
	used := min(o.Servers, max(o.People/2, 1))
	groups := make([][]*sandbox.Person, used)
	for i := range o.People {
		who := discord.AddPerson("Player "+strconv.Itoa(i+1), sandbox.PersonOptions{})
		groups[i%used] = append(groups[i%used], who)
	}
	for i := range o.Servers {
		options := sandbox.GuildOptions{ID: strconv.FormatInt((firstGuild+int64(i))<<22, 10)}
		if i < used {
			options.Owner, options.Members = groups[i][0], groups[i][1:]
		}
		guild := discord.AddGuild(fmt.Sprintf("Server %d", i+1), options)
		channel := guild.AddChannel("games")
		if i < used {
			h.rooms = append(h.rooms, &room{
				guild: guild.ID(), channel: channel, bench: groups[i], ghosts: map[[2]string]bool{},
				luck: rand.New(rand.NewPCG(o.Seed, uint64(i))),
			})
		}
	}
	return h
}

// seatsFor is how many tables a room with so many people has: one or two stay on the bench, so that they meet others.
func seatsFor(people int, alone bool) int {
	if alone {
		return people
	}
	return max((people-1)/2, 1)
}

// furnish puts up the tables.
func (h *hall) furnish(o Options, s *session) {
	for i, r := range h.rooms {
		for n := range seatsFor(len(r.bench), o.alone()) {
			t := &table{
				room: r, session: s, alone: o.alone(),
				luck: rand.New(rand.NewPCG(o.Seed+1, uint64(i)<<20|uint64(n))),
			}
			t.next = t.script(o.Script)
			h.tables = append(h.tables, t)
		}
	}
}

// sit takes so many people off the bench, whom the lot names.
func (r *room) sit(n int) []*sandbox.Person {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*sandbox.Person
	for range n {
		i := r.luck.IntN(len(r.bench))
		out = append(out, r.bench[i])
		r.bench[i] = r.bench[len(r.bench)-1]
		r.bench = r.bench[:len(r.bench)-1]
	}
	return out
}

// rise puts people back.
func (r *room) rise(people ...*sandbox.Person) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bench = append(r.bench, people...)
}

// haunt notes that a challenge may stand between two people, and haunted tells whether one may.
func (r *room) haunt(a, b *sandbox.Person) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ghosts[pair(a, b)] = true
}

func (r *room) haunted(a, b *sandbox.Person) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ghosts[pair(a, b)]
}

func pair(a, b *sandbox.Person) [2]string { return [2]string{min(a.ID(), b.ID()), max(a.ID(), b.ID())} }
