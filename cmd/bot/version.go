package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of a published program; deploy/release.sh has the linker
// set it.
var release string

// version is one line: the program's version, Go's, and the commit where the
// build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "rowbot (unknown version) " + runtime.Version()
	}
	if release != "" {
		info.Main.Version = release
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	parts := []string{"rowbot", info.Main.Version, info.GoVersion}
	if info.Main.Version == "" {
		parts[1] = "(devel)"
	}
	var revision, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision != "" {
		parts = append(parts, revision[:min(len(revision), 12)]+dirty)
	}
	return strings.Join(parts, " ")
}
