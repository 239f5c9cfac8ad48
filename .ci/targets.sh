#!/usr/bin/env bash
# targets.sh card|test|all|none|TARGETS: prints what GPU kernels should be compiled for, separated by commas: PTX, which any GPU since Turing can
# have compiled by its driver, and machine code, which loads at once.
#   card   PTX and machine code for the GPUs of this machine; nothing where there is none
#   test   the same; PTX alone where there is no GPU: tests read it
#   all    every generation, for what goes to other machines
set -euo pipefail
ptx=compute_75
all=sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_120
gpus=${GLINT_GPUS:-/proc/driver/nvidia/gpus} # where the driver lists them

# One row a generation: what the names of its GPUs have in common.
of_name() {
  case $1 in
  *B200* | *B300* | *GB200*) echo sm_100 ;;
  *H100* | *H200* | *H800* | *H20* | *GH200*) echo sm_90 ;;
  *"RTX 50"* | *Blackwell*) echo sm_120 ;;
  *"RTX 40"* | *Ada* | *" L4"* | *" L40"*) echo sm_89 ;;
  *A100* | *A800* | *" A30"*) echo sm_80 ;;
  *"RTX 30"* | *"RTX A"* | *" A10"* | *" A16"* | *" A2"* | *" A40"*) echo sm_86 ;;
  *"RTX 20"* | *"GTX 16"* | *"Quadro RTX"* | *T4* | *T1000* | *T400*) echo sm_75 ;;
  *) echo unknown ;;
  esac
}

# The driver says best; where its program is missing, the names must do.
of_cards() {
  local numbers
  if numbers=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null) && [ -n "$numbers" ]; then
    sed 's/\.//; s/^ */sm_/' <<<"$numbers"
  else
    sed -n 's/^Model:[[:space:]]*//p' "$gpus"/*/information | while IFS= read -r name; do of_name "$name"; done
  fi
}

# Machine code of this generation: the newest that such a GPU runs.
suited() {
  local wanted=${1#sm_} best=
  for target in ${all//,/ }; do
    local has=${target#sm_}
    if [ $((has / 10)) -eq $((wanted / 10)) ] && [ "$has" -le "$wanted" ]; then best=$target; fi
  done
  echo "$best"
}

case ${1:-card} in
none) exit 0 ;;
all)
  echo "$ptx,$all"
  exit 0
  ;;
card | test) ;;
*)
  echo "$1"
  exit 0
  ;;
esac

if ! compgen -G "$gpus/*/information" >/dev/null; then
  [ "${1:-card}" = card ] || echo "$ptx"
  exit 0
fi
targets=$ptx
for card in $(of_cards | sort -u); do
  if [ "$card" = unknown ]; then
    targets=$ptx,$all
    break
  fi
  target=$(suited "$card")
  [ -z "$target" ] || [[ ,$targets, == *",$target,"* ]] || targets+=,$target
done
echo "$targets"
