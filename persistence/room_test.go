package persistence

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A disk without room is one that cannot be written, and said to be full.
func TestRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	db, err := OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.roomy(1); err != nil {
		t.Error(err)
	}
	left := roomAt(path)
	if left == math.MaxInt64 {
		return // the file system does not say
	}
	if err := db.roomy(math.MaxInt64); !errors.Is(err, errNoRoom) || !strings.HasPrefix(err.Error(), "the disk is full, but for ") {
		t.Errorf("less room than is needed: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), "df", "--output=avail", "-B1", path).Output()
	if err != nil {
		return // it is not this df
	}
	lines := strings.Fields(string(out))
	told, err := strconv.ParseInt(lines[len(lines)-1], 10, 64)
	forRoot := os.Geteuid() == 0                                          // df tells of what is left for others
	if err != nil || told < left-1<<30 && !forRoot || told > left+1<<30 { // others write meanwhile
		t.Errorf("%d bytes left, and df says %d (%v)", left, told, err)
	}
}
