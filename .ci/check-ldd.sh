#!/usr/bin/env bash
# check-ldd.sh BINARY: fails when BINARY needs a library at start other than libc, libstdc++, GL and X11, or when it is not
# position-independent.
set -euo pipefail
binary=$1

# e_type of the ELF header: 3 is ET_DYN.
if [ "$(od -An -tu2 -j16 -N2 "$binary" | tr -d ' ')" != 3 ]; then
  echo "$binary is always loaded at the same address: build it with -buildmode=pie" >&2
  exit 1
fi

allowed='linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+'
allowed+='|libGL|libGLX|libGLdispatch|libOpenGL'
allowed+='|libX11|libXrandr|libXxf86vm|libXi|libXcursor|libXinerama|libXext|libXfixes|libXrender'
allowed+='|libxcb|libXau|libXdmcp|libbsd|libmd' # what libX11 itself needs

report=$(ldd "$binary" 2>&1 || true)
wrong=$(grep -vE "^\s*(/\S*/)?($allowed)\.so|not a dynamic executable" <<<"$report" || true)
wrong+=$(grep 'not found' <<<"$report" || true)
if [ -n "$wrong" ]; then
  printf '%s needs libraries that a user may not have:\n%s\n' "$binary" "$wrong" >&2
  exit 1
fi
