package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// defaultConnections is how many connections one process makes at most: ten
	// processes stay below the hundred that a server takes by itself.
	defaultConnections = 9
	// connectLimit bounds the making of a connection.
	connectLimit = 2 * time.Second
	// connectionLife is after what time a connection is replaced, so that those
	// of a server that has moved do not stay for ever.
	connectionLife = 30 * time.Minute

	connectionsKey = "pool_max_conns"
	modeKey        = "default_query_exec_mode"
)

// OpenPostgres opens the PostgreSQL database at an address such as
// "postgres://user:password@host/database" and brings the schema up to date;
// where several copies of the program do so at once, one of them does and the
// others wait. The database has to be there. It refuses what is not a database
// of Rowbot's, and, with [ErrNewerSchema], one that a newer Rowbot has written.
// Every error is a sentence that names the address without its password, fit for
// the operator.
//
// The address may carry what pgx understands (sslmode, connect_timeout,
// target_session_attrs …), pool_max_conns, and default_query_exec_mode, which is
// "exec" if it is not set: that keeps nothing on the server between transactions,
// so that a pooler such as PgBouncer may deal the connections out anew for each.
func OpenPostgres(ctx context.Context, address string, opts ...Option) (*DB, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	db, err := openServer(ctx, address, o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", nameOf(address), explain(err))
	}
	return db, nil
}

// CheckPostgres finds mistakes in an address without connecting. Its error
// completes the sentence "the value …".
func CheckPostgres(address string) error {
	_, _, err := configure(address)
	return err
}

var (
	errAddress     = errors.New("is no address of a PostgreSQL database")
	errConnections = errors.New("has a " + connectionsKey + " that is no number from 2 to 1000")
)

// configure reads an address.
func configure(address string) (*pgx.ConnConfig, int, error) {
	u, err := url.Parse(address)
	if err != nil || !IsServer(address) {
		return nil, 0, errAddress // without the text, in which there may be a password
	}
	query, connections := u.Query(), defaultConnections
	if text := query.Get(connectionsKey); text != "" {
		if connections, err = strconv.Atoi(text); err != nil || connections < 2 || connections > 1000 {
			return nil, 0, errConnections
		}
		query.Del(connectionsKey)
	}
	if u.Host == "" && query.Get("host") == "" {
		return nil, 0, errAddress
	}
	if query.Get(modeKey) == "" {
		query.Set(modeKey, "exec")
	}
	u.RawQuery = query.Encode()
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return nil, 0, errAddress
	}
	if config.ConnectTimeout == 0 || query.Get("connect_timeout") == "" {
		config.ConnectTimeout = connectLimit
	}
	return config, connections, nil
}

func openServer(ctx context.Context, address string, o options) (*DB, error) {
	config, connections, err := configure(address)
	if err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	readers := max(1, connections/3)
	writers := connections - readers
	db := &DB{
		name: nameOf(address), server: true, outage: outageLimit, updates: make(line, writers), views: make(line, readers),
		writer: dial(config, writers), readers: dial(config, readers),
	}
	db.unfolded.Store(foldAfter)
	if err := db.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.employ(ctx, o)
	return db, nil
}

// dial makes a pool of connections. None is made yet.
func dial(config *pgx.ConnConfig, connections int) *sql.DB {
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxLifetime(connectionLife)
	return pool
}
