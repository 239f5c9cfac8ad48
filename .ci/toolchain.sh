#!/usr/bin/env bash
# toolchain.sh: sees to it that `go` and `gofmt` are as new as go.mod asks. When the machine's are missing or too old,
# links to the wanted release go into .tools/bin. The release comes as a module (golang.org/toolchain), checked against
# the public checksum database like any other module, so any older Go can fetch it.
set -euo pipefail
cd "$(dirname "$0")/.."
links=$PWD/.tools/bin
export PATH=$links:$PATH GOTOOLCHAIN=local
need=$(awk '$1 == "go" { print $2 }' go.mod)

# Prints the version of the `go` in use; run from / because an old Go fails to read our go.mod.
have() {
  cd / && go env GOVERSION 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1
}

new_enough() {
  local version
  command -v gofmt >/dev/null && version=$(have) && printf '%s\n%s\n' "$need" "$version" | sort -V -C
}

# Go's own switch of toolchains does the same three things to an unpacked one: writable, executable, go.mod in place.
unpacked() {
  local root=$1
  chmod -R u+w "$root"
  chmod -R +x "$root/bin" "$root/pkg/tool"
  find "$root" -name _go.mod -execdir cp {} go.mod \;
}

if new_enough; then exit 0; fi
command -v go >/dev/null || { echo "There is no Go: install Go $need or newer, from https://go.dev/dl or as a package" >&2; exit 1; }
echo "Fetching Go $need: go.mod asks for it and this machine has $(have)" >&2
module=golang.org/toolchain@v0.0.1-go$need.linux-$(cd / && go env GOHOSTARCH)
root=$(cd / && GO111MODULE=on GOFLAGS=-mod=mod go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
unpacked "$root"
mkdir -p "$links"
ln -sfn "$root/bin/go" "$root/bin/gofmt" "$links/"
new_enough || { echo "Go $need was fetched to $root but does not run: install Go $need by hand" >&2; exit 1; }
