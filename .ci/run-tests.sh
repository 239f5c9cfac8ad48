#!/usr/bin/env bash
# run-tests.sh [-test.FLAG...]: runs each test binary of a bundle in its package's folder, as `go test` would.
set -uo pipefail
cd "$(dirname "$0")/glint"
# A server may lack GL and X11; bin/glint by hand wants the same: LD_LIBRARY_PATH=lib glint/bin/glint …
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$PWD/../lib
export OIDN_DIR=${OIDN_DIR:-$PWD/bin}
passed=0
failed=0
while read -r binary; do
  echo "== ${binary#./}"
  if (cd "$(dirname "$binary")" && "./$(basename "$binary")" -test.timeout 9m "$@"); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done < <(find . -name '*.test' | sort)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
