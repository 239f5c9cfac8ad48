#!/usr/bin/env bash
# kubernetes.sh: checks the Job of docs/farm.md against the types of the Kubernetes API.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
awk '/^```/ { inside = 0 } inside; /^```yaml film.yaml/ { inside = 1 }' "$here/../docs/farm.md" |
  env -u GOFLAGS go run -C "$here/kubernetes" .
