package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

const (
	defaultFile    = "config.toml"
	variablePrefix = "ROWBOT_"
)

// loader gathers the settings, where each of them was set, and what is wrong.
type loader struct {
	settings Settings
	places   map[string]string // key to "file:line" or variable
	faults   []error
}

// load reads the settings from the file, then from the environment, which
// wins. file is what --config named; empty means config.toml where that
// exists. The error joins all that is wrong, one line each, beginning with
// the place: file and line, or the variable's name.
func load(file string, environ []string) (Settings, error) {
	l := &loader{settings: defaults(), places: map[string]string{}}
	l.file(file)
	l.environment(environ)
	if len(l.faults) == 0 {
		l.together()
	}
	return l.settings, errors.Join(l.faults...)
}

func (l *loader) fault(place, format string, args ...any) {
	l.faults = append(l.faults, errors.New(place+": "+fmt.Sprintf(format, args...)))
}

// set puts one value in.
func (l *loader) set(s setting, place, value string) {
	if value == "" && s.unset {
		return
	}
	l.places[s.key] = place
	err := s.set(&l.settings, value)
	if err == nil {
		return
	}
	shown := fmt.Sprintf("%q", value)
	if s.secret {
		shown = "the value"
	}
	l.fault(place, "%s %v; right is %s", shown, err, s.want)
}

// together checks what two settings say in common, and sets what one asks of
// another.
func (l *loader) together() {
	d := l.settings.Discord
	if d.Mode == modeWebhook && l.settings.HTTP.Listen == "" {
		l.settings.HTTP.Listen = defaultListen
	}
	if len(d.Shards) == 0 {
		return
	}
	if d.ShardCount == 0 {
		l.fault(l.places["discord.shards"], "needs discord.shard_count, the number of shards of all processes, beside it")
	} else if last := d.Shards[len(d.Shards)-1]; last >= d.ShardCount {
		l.fault(l.places["discord.shards"], "shard %d is not below discord.shard_count, which is %d; shards are counted from 0", last, d.ShardCount)
	}
}

// environment reads the variables. An empty one counts as not set.
func (l *loader) environment(environ []string) {
	variables := map[string]setting{}
	var names []string
	for _, s := range all {
		variables[s.variable()] = s
		names = append(names, s.variable())
	}
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) {
			continue
		}
		s, ok := variables[name]
		switch {
		case !ok:
			meant := nearest(name, names)
			if full := ending(strings.ToLower(strings.TrimPrefix(name, variablePrefix))); full != "" {
				meant = setting{key: full}.variable()
			}
			l.fault(name, "there is no such setting; did you mean %s?", meant)
		case value != "":
			l.set(s, name, value)
		}
	}
}

// file reads the TOML file.
func (l *loader) file(name string) {
	asked := name != ""
	if !asked {
		name = defaultFile
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return
	}
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		l.fault(name, "cannot be read: %v", err)
		return
	}
	d, err := parseDocument(string(text))
	if err != nil {
		if syntax, ok := errors.AsType[toml.ParseError](err); ok {
			l.fault(fmt.Sprintf("%s:%d", name, syntax.Position.Line), "not valid TOML: %s", syntax.Message)
		} else {
			l.fault(name, "not valid TOML: %v", err)
		}
		return
	}
	l.document(name, d)
}

// document takes the settings out of a file that is TOML.
func (l *loader) document(name string, d *document) {
	var refused []toml.Key
	for _, key := range d.meta.Keys() {
		if slices.ContainsFunc(refused, func(r toml.Key) bool { return len(r) < len(key) && slices.Equal(r, key[:len(r)]) }) {
			continue // part of what was refused as a whole
		}
		place := fmt.Sprintf("%s:%d: %s", name, d.line(key), key)
		value, kind := d.value(key)
		if s, ok := byKey(key.String()); ok {
			if kind != "" {
				l.fault(place, "is %s; right is %s", kind, s.want)
				refused = append(refused, key)
			} else {
				l.set(s, place, value)
			}
			continue
		}
		if isTable := d.meta.Type(key...) == "Hash"; isTable && slices.Contains(tables(), key.String()) {
			continue
		}
		l.fault(place, "%s", unknownKey(key.String()))
		refused = append(refused, key)
	}
}

// tables are the names of the tables of the file.
func tables() []string {
	var names []string
	for _, s := range all {
		table, _, _ := strings.Cut(s.key, ".")
		if !slices.Contains(names, table) {
			names = append(names, table)
		}
	}
	return names
}

// keysOf lists the keys of a table, without its name.
func keysOf(table string) []string {
	var names []string
	for _, s := range all {
		if t, key, _ := strings.Cut(s.key, "."); t == table {
			names = append(names, key)
		}
	}
	return names
}

// unknownKey says what may have been meant by a key that does not exist.
func unknownKey(key string) string {
	table, _, nested := strings.Cut(key, ".")
	if keys := keysOf(table); len(keys) > 0 {
		if !nested {
			return fmt.Sprintf("must be a table, written [%s]; its keys are %s", table, strings.Join(keys, ", "))
		}
		return fmt.Sprintf("there is no such key; did you mean %s? The keys of [%s] are %s",
			nearest(key, qualified(table, keys)), table, strings.Join(keys, ", "))
	}
	if nested {
		var keys []string
		for _, s := range all {
			keys = append(keys, s.key)
		}
		return fmt.Sprintf("there is no such key; did you mean %s? The tables are %s", nearest(key, keys), strings.Join(tables(), ", "))
	}
	if full := ending(key); full != "" {
		return fmt.Sprintf("there is no such key outside a table; did you mean %s?", full)
	}
	return fmt.Sprintf("there is no such table or key; did you mean [%s]? The tables are %s", nearest(key, tables()), strings.Join(tables(), ", "))
}

func qualified(table string, keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = table + "." + k
	}
	return out
}

// ending finds the setting whose last part is the given key.
func ending(key string) string {
	for _, s := range all {
		if strings.HasSuffix(s.key, "."+key) {
			return s.key
		}
	}
	return ""
}

// nearest is the name with the fewest letters to change, add or leave out.
func nearest(name string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// distance counts the letters by which two names differ (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
