#!/usr/bin/env bash
# bundle.sh DIRECTORY [SCENE...]: lays out in DIRECTORY what a machine without Go needs to run glint and its tests: the
# binary, the GL and X11 libraries that it needs and a server may lack, the repository's files, each package's test binary beside that package's files, and scenes of ../shared where
# the tests look for them. Then packs it as DIRECTORY.tar.gz.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift

rm -rf "$out" "$out.tar.gz"
mkdir -p "$out/glint/bin"
git ls-files -z | xargs -0 cp --parents -t "$out/glint"
cp bin/glint "$out/glint/bin/"
cp .ci/run-tests.sh "$out/"

# The denoiser, where `make oidn` has fetched it.
if [ -d "${OIDN_DIR:-/nowhere}/lib" ]; then
  cp -rL "$OIDN_DIR/lib" "$out/glint/bin/"
fi

# Not the C library and its kin: those belong to the machine.
mkdir -p "$out/lib"
ldd bin/glint | awk '/=> \// { print $3 }' | grep -Ev '/(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)\.so' |
  xargs -r cp -L -t "$out/lib"

go list -f '{{ if or .TestGoFiles .XTestGoFiles }}{{ .ImportPath }} {{ .Dir }}{{ end }}' ./... |
  while read -r package directory; do
    target=$out/glint/${directory#"$PWD"}
    go test -c -ldflags='-s -w' -o "$target/$(basename "$directory").test" "$package"
  done

if [ -d ../shared/scenes ]; then
  mkdir -p "$out/shared/scenes"
  for scene in "$@"; do
    cp -r "../shared/scenes/$scene" "$out/shared/scenes/"
  done
fi

tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")"
du -h "$out.tar.gz"
