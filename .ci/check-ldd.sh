#!/usr/bin/env bash
# check-ldd.sh BINARY: fails when BINARY needs a library at start other than libc, libstdc++, GL and X11.
set -euo pipefail
binary=$1

allowed='linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+'
allowed+='|libGL|libGLX|libGLdispatch|libOpenGL'
allowed+='|libX11|libXrandr|libXxf86vm|libXi|libXcursor|libXinerama|libXext|libXfixes|libXrender'
allowed+='|libxcb|libXau|libXdmcp|libbsd|libmd' # what libX11 itself needs

needed=$(ldd "$binary" | awk '{ sub(".*/", "", $1); print }')
wrong=$(grep -vE "^($allowed)\.so" <<<"$needed" || true)
lost=$(grep 'not found' <<<"$needed" || true)
if [ -n "$wrong$lost" ]; then
  printf '%s needs libraries that a user may not have:\n%s\n' "$binary" "$wrong$lost" >&2
  exit 1
fi
