#!/usr/bin/env bash
# check-package.sh FILE.deb: installs the package into an empty root, renders with what it installed, and removes it.
set -euo pipefail
deb=$(realpath "$1")

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export DPKG_FORCE=not-root,depends,bad-path
as() { dpkg --root="$root" --force-script-chrootless --log=/dev/null "$@" >"$root/log" 2>&1 || { cat "$root/log" >&2; exit 1; }; }
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
: >"$root/var/lib/dpkg/status"

# Every library that the binary needs belongs to a package that it depends on.
depends=$(dpkg-deb -f "$deb" Depends)
for package in libc6 libstdc++6 libgl1 libx11-6; do
  grep -qF "$package" <<<"$depends" || { echo "The package does not depend on $package: $depends" >&2; exit 1; }
done

as --install "$deb"
glint=$root/usr/bin/glint
.ci/check-ldd.sh "$glint"
mkdir "$root/home"
env -i HOME="$root/home" PATH=/usr/bin:/bin "$glint" render cornell --backend cpu --size 64x36 --spp 4 -o "$root/home/cornell.png"
[ -s "$root/home/cornell.png" ]
for file in applications/glint.desktop icons/hicolor/scalable/apps/glint.svg man/man1/glint.1.gz \
  doc/glint/LICENSES.txt bash-completion/completions/glint; do
  [ -s "$root/usr/share/$file" ] || { echo "The package lacks $file" >&2; exit 1; }
done

as --purge glint
left=$(find "$root" -path "$root/var" -prune -o -path "$root/home" -prune -o -path "$root/log" -prune -o -type f -print)
[ -z "$left" ] || { echo "Removing leaves $left" >&2; exit 1; }
echo "$(basename "$deb"): installs, renders and goes without a trace"
