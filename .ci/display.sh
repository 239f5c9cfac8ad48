#!/usr/bin/env bash
# display.sh: succeeds when $DISPLAY names an X server that answers (a Wayland desktop offers one too, as XWayland).
set -euo pipefail
[[ ${DISPLAY:-} =~ ^(.*):([0-9]+)(\.[0-9]+)?$ ]] || exit 1
host=${BASH_REMATCH[1]}
number=${BASH_REMATCH[2]}
case $host in
  '' | unix)
    socket=/tmp/.X11-unix/X$number
    [ -S "$socket" ] || grep -qs "@$socket\$" /proc/net/unix
    ;;
  *) timeout 2 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$host" $((6000 + number)) 2>/dev/null ;;
esac
