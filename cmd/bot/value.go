package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rowbot/persistence"
)

// errWrong is a value that needs no other explanation than what is right.
var errWrong = errors.New("is wrong")

// What is wrong with a number or a time that is one.
var (
	errLarge = errors.New("is too large")
	errShort = errors.New("is too short")
	errLong  = errors.New("is too long")
)

func setToken(to *string, v string) error {
	if len(v) > 4 && strings.EqualFold(v[:4], "Bot ") {
		return errors.New(`begins with the word "Bot"`)
	}
	if strings.ContainsFunc(v, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) || r == ' ' }) {
		return errors.New("holds characters that are in no token")
	}
	*to = v
	return nil
}

func setID(to *string, v string) error {
	if n, err := strconv.ParseUint(v, 10, 64); err != nil || n == 0 || strconv.FormatUint(n, 10) != v {
		return errWrong
	}
	*to = v
	return nil
}

func setChoice(to *string, v string, choices ...string) error {
	if !slices.Contains(choices, v) {
		return errWrong
	}
	*to = v
	return nil
}

func setKey(to *string, v string) error {
	if b, err := hex.DecodeString(v); err != nil || len(b) != 32 {
		return errWrong
	}
	*to = strings.ToLower(v)
	return nil
}

var versioned = regexp.MustCompile(`/v[0-9]+$`)

func setAPIURL(to *string, v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errWrong
	}
	v = strings.TrimRight(v, "/")
	if versioned.MatchString(v) {
		return errors.New("ends in a version, which is put behind it anyway")
	}
	*to = v
	return nil
}

func setCount(to *int, v string) error {
	n, err := strconv.Atoi(v)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0, n > maxShards:
		return errLarge
	case err != nil || n < 1:
		return errWrong
	}
	*to = n
	return nil
}

// maxShards keeps a slip of the pen such as 0-99999999 from filling the memory.
const maxShards = 100_000

// errShards is about numbers that are too high for any discord.shard_count.
var errShards = fmt.Errorf("goes beyond %d, the last shard that there can be", maxShards-1)

// setShards reads numbers and ranges of them, parted by commas. It gives them
// in order, each once.
func setShards(to *[]int, v string) error {
	var shards []int
	for part := range strings.SplitSeq(v, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := shardNumber(first)
		until := from
		if err == nil && isRange {
			until, err = shardNumber(last)
		}
		switch {
		case err != nil:
			return err
		case until < from:
			return errWrong
		}
		for n := from; n <= until; n++ {
			shards = append(shards, n)
		}
	}
	slices.Sort(shards)
	*to = slices.Compact(shards)
	return nil
}

func shardNumber(v string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0, n >= maxShards:
		return 0, errShards
	case err != nil || n < 0:
		return 0, errWrong
	}
	return n, nil
}

func setListen(to *string, v string) error {
	_, port, err := net.SplitHostPort(v)
	if err != nil {
		return errWrong
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errWrong
	}
	*to = v
	return nil
}

func setStore(to *string, v string) error {
	path, isFile := strings.CutPrefix(v, persistence.SQLiteScheme)
	switch {
	case persistence.IsServer(v):
		if err := persistence.CheckPostgres(v); err != nil {
			return err
		}
	case !isFile || strings.TrimSpace(path) == "":
		return errWrong
	case isFile && strings.ContainsAny(path, "?#\x00"):
		return errors.New("holds a character that a database file cannot have in its name here")
	}
	*to = v
	return nil
}

func setFolder(to *string, v string) error {
	if strings.TrimSpace(v) == "" || strings.ContainsRune(v, 0) {
		return errWrong
	}
	*to = v
	return nil
}

func setKeep(to *int, v string) error {
	n, err := strconv.Atoi(v)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return errLarge
	case err != nil || n < 1:
		return errWrong
	}
	*to = n
	return nil
}

func setLevel(to *slog.Level, v string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[v]
	if !ok {
		return errWrong
	}
	*to = level
	return nil
}

// setDurationOrNone is setDuration for a time that may be zero, which stands for
// "not at all".
func setDurationOrNone(to *time.Duration, v string) error {
	if d, err := time.ParseDuration(v); err == nil && d == 0 {
		*to = 0
		return nil
	}
	return setDuration(to, v)
}

// leastBackupEvery keeps a slip of the pen such as "6ms" from copying without end.
const leastBackupEvery = time.Minute

func setBackupEvery(to *time.Duration, v string) error {
	var d time.Duration
	if err := setDurationOrNone(&d, v); err != nil {
		return err
	}
	if d > 0 && d < leastBackupEvery {
		return errShort
	}
	*to = d
	return nil
}

// leastSweep keeps a slip of the pen such as "1ns" from keeping a core busy.
const leastSweep = 10 * time.Millisecond

func setSweep(to *time.Duration, v string) error {
	var d time.Duration
	if err := setDuration(&d, v); err != nil {
		return err
	}
	if d < leastSweep {
		return errShort
	}
	*to = d
	return nil
}

func setDuration(to *time.Duration, v string) error {
	d, err := time.ParseDuration(v)
	switch {
	case err != nil && someTime.MatchString(v):
		return errLong
	case err != nil || d <= 0:
		return errWrong
	}
	*to = d
	return nil
}

// someTime is a time above zero as package time writes it, which reads none of more
// than 292 years.
var someTime = regexp.MustCompile(`^\+?((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$`)
