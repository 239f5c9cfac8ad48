#!/usr/bin/env bash
# examples.sh: checks what no test can run: the Job of docs/farm.md against the types of the Kubernetes API, and the Dockerfile, which
# is built where docker runs.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
awk '/^```/ { inside = 0 } inside; /^```yaml film.yaml/ { inside = 1 }' "$here/../docs/farm.md" |
  env -u GOFLAGS go run -C "$here/checks" ./kubernetes
env -u GOFLAGS go run -C "$here/checks" ./dockerfile <"$here/Dockerfile"
if docker info >/dev/null 2>&1 && ls "$here"/../dist/glint_*_amd64.deb >/dev/null 2>&1; then
  docker build --quiet --file "$here/Dockerfile" "$here/../dist"
fi
