#!/usr/bin/env bash
# Builds the programs to publish: dist/rowbot-VERSION-linux-{amd64,arm64}.tar.gz
# and dist/SHA256SUMS. Usage: deploy/release.sh VERSION [ARCHITECTURE...]
#
# SQLite is C, so that each architecture needs a C compiler of its own. The
# programs are static and run on any Linux.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || { echo "usage: deploy/release.sh VERSION [ARCHITECTURE...]" >&2; exit 2; }
version=$1
shift
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || { echo "a version looks like v1.2.3" >&2; exit 2; }
architectures=("$@")
[ ${#architectures[@]} -gt 0 ] || architectures=(amd64 arm64)

compiler() { # compiler ARCHITECTURE: the C compiler that builds for it
  local name=gcc
  if [ "$1" != "$(go env GOHOSTARCH)" ]; then
    case $1 in
    amd64) name=x86_64-linux-gnu-gcc ;;
    arm64) name=aarch64-linux-gnu-gcc ;;
    *) echo "no such architecture: $1" >&2; exit 2 ;;
    esac
  fi
  command -v "$name" || { echo "$name is missing: apt-get install gcc-x86-64-linux-gnu gcc-aarch64-linux-gnu" >&2; exit 1; }
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p dist
for arch in "${architectures[@]}"; do
  name=rowbot-$version-linux-$arch
  cc=$(compiler "$arch")
  mkdir -p "$work/$name"
  CGO_ENABLED=1 GOOS=linux GOARCH=$arch CC=$cc go build -trimpath -buildvcs=false -tags 'netgo osusergo sqlite_omit_load_extension' \
    -ldflags "-s -w -X main.release=$version -linkmode external -extldflags '-static'" -o "$work/$name/rowbot" ./cmd/bot
  [ "$arch" != "$(go env GOHOSTARCH)" ] || "$work/$name/rowbot" version # a program that does not start is not published
  mkdir "$work/$name/docs"
  cp -r README.md LICENSE config.example.toml deploy "$work/$name/"
  cp docs/*.md "$work/$name/docs/"
  # The same bytes from the same source.
  tar --sort=name --mtime='2000-01-01 UTC' --owner=0 --group=0 --numeric-owner -C "$work" -c "$name" | gzip -n >"dist/$name.tar.gz"
done
(cd dist && sha256sum "rowbot-$version-linux-"*.tar.gz >SHA256SUMS && cat SHA256SUMS)
