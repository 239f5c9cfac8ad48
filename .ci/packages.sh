#!/usr/bin/env bash
# packages.sh GROUP...: installs the Debian/Ubuntu packages of the groups that are missing. It asks nothing, and runs
# no package manager when nothing is missing.
set -euo pipefail

# One row a group.
declare -A groups=(
  [make]="make"
  [build]="gcc g++ libc6-dev pkg-config libgl-dev libx11-dev libxrandr-dev libxxf86vm-dev libxi-dev libxcursor-dev
           libxinerama-dev git ca-certificates"
  [go]="golang-go"
  [test]="xvfb xauth xdotool libgl1-mesa-dri parallel"
  [farm]="slurmctld slurmd slurm-client munge"
  [kernels]="python3 python3-pip"
  [format]="clang-format"
  [package]="dpkg-dev xz-utils"
)

wanted=()
for group in "$@"; do
  read -r -d '' -a names <<<"${groups[$group]:?no such group: $group}" || true
  wanted+=("${names[@]}")
done

if ! command -v apt-get >/dev/null; then
  echo "This is not Debian or Ubuntu, so nothing is installed. Needed under whatever name: ${wanted[*]}" >&2
  exit 0
fi

missing=()
for name in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    printf 'Packages are missing that only root can install. As root, run:\n  %s\n' \
      "apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

echo "Installing ${missing[*]}" >&2
apt update
apt install -y --no-install-recommends "${missing[@]}"
