#!/usr/bin/env bash
# package.sh BINARY VERSION DIRECTORY: makes DIRECTORY/glint_VERSION_amd64.deb and the same tree as .tar.gz.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
version=$2
out=$3

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tree=$root/glint_${version}_amd64
share=$tree/usr/share

install -D -s "$binary" "$tree/usr/bin/glint"
install -D -m 644 assets/glint.desktop "$share/applications/glint.desktop"
install -D -m 644 assets/glint.svg "$share/icons/hicolor/scalable/apps/glint.svg"
install -D -m 644 README.md "$share/doc/glint/README.md"
install -D -m 644 -t "$share/doc/glint" assets/LICENSES.md assets/LICENSES.txt
install -D -m 644 LICENSE "$share/doc/glint/copyright"

complete() { install -D -m 644 <("$binary" completion "$1") "$2"; }
complete bash "$share/bash-completion/completions/glint"
complete zsh "$share/zsh/vendor-completions/_glint"
complete fish "$share/fish/vendor_completions.d/glint.fish"

# What help says, as a manual page.
mkdir -p "$share/man/man1"
{
  printf '.TH GLINT 1 "" "glint %s"\n.SH NAME\nglint \\- interactive path tracer for glTF scenes\n.SH DESCRIPTION\n.nf\n' "$version"
  "$binary" help | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'
} | gzip -9n >"$share/man/man1/glint.1.gz"
chmod -R u=rwX,go=rX "$tree"

mkdir -p "$out"
tar -C "$root" --owner=0 --group=0 --sort=name -czf "$out/glint_${version}_amd64.tar.gz" "glint_${version}_amd64"

# The libraries that are linked, with the versions that their symbols ask for.
mkdir "$root/debian"
printf 'Source: glint\n\nPackage: glint\nArchitecture: amd64\n' >"$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O "$tree/usr/bin/glint" 2>/dev/null | sed 's/^shlibs:Depends=//')
mkdir "$tree/DEBIAN"
cat >"$tree/DEBIAN/control" <<EOF
Package: glint
Version: $version
Architecture: amd64
Maintainer: The glint authors <glint@localhost>
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: $depends
Recommends: libxrandr2, libxi6, libxcursor1, libxinerama1, libxxf86vm1
Suggests: ffmpeg, zenity
Section: graphics
Priority: optional
Description: interactive path tracer for glTF scenes
 Shows a scene under full global illumination while you fly through it, on an
 NVIDIA GPU or on the CPU: path tracing or ReSTIR GI, with a denoiser.
EOF
dpkg-deb --build --root-owner-group -Zxz "$tree" "$out/glint_${version}_amd64.deb" >/dev/null
ls -lh "$out"/glint_"${version}"_amd64.*
