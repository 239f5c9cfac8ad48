#!/usr/bin/env bash
# data.sh GLINT OUT [FOLDER]: renders what the filter learns from, on the GPUs of this machine, by several processes at once. FOLDER has further
# scenes (.glb, .gltf) and environments (.hdr). SECONDS_LEFT bounds it: what is finished by then counts. Never learned from, but tested on:
# chess, interior and the scenes whose names are in TESTS. A new OUT with another SEED, thousands
# away, gets other objects and views, to go on with.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
glint=$1 out=$2 folder=${3:-} seed=${SEED:-0}
TESTS='Fox|living_room|grooves|scratched|visor|weave'
mkdir -p "$out"
[ -d "$out/objects" ] || python3 "$here/scenes.py" "$out/objects" 120 "$seed"
end=$((SECONDS + ${SECONDS_LEFT:-240}))

scenes=(cornell cornell-glossy mixed-reflection glass-chain city door-ajar thousand-lamps open-environment carpaint many-spots pillars
  glossy-room spheres sun-and-sky emissive-sphere smooth-coat-floor "$out"/objects/*.glb)
tests=(chess interior) environments=sky:20,sky:60
if [ -n "$folder" ]; then
  mapfile -t found < <(find "$folder" -name '*.glb' -o -name '*.gltf' | sort)
  for file in "${found[@]}"; do
    if [[ $file =~ $TESTS ]]; then tests+=("$file"); else scenes+=("$file"); fi
  done
  for file in $(find "$folder" -name '*.hdr' | sort); do environments+=,$file first=${first:-$file}; done
fi

gpus=$(nvidia-smi -L | grep -c ^GPU)
render() { # NUMBER SEED FLAGS… SCENES…
  local gpu=$(($1 % gpus)) left=$((end - SECONDS))
  shift
  ((left > 0)) || return 0
  CUDA_VISIBLE_DEVICES=$gpu timeout --preserve-status $left "$glint" training-data -o "$out" --backend cuda --size 896x504 --load-memory 16 --bvh fast --seed "$@" || true
}
processes=$((6 * gpus))
for ((i = 0; i < processes; i++)); do
  part=()
  for ((k = i; k < ${#scenes[@]}; k += processes)); do part+=("${scenes[k]}"); done
  # Round after round, so that whenever time is up each scene has been seen about as often.
  (for ((round = 1; SECONDS < end; round++)); do render "$i" $((seed + 100 * round + i)) --envs "$environments" --variants 1 --sequences 2 --frames 6 "${part[@]}"; done) &
done
for ((i = 0; i < gpus; i++)); do
  part=()
  for ((k = i; k < ${#tests[@]}; k += gpus)); do part+=("${tests[k]}"); done
  render "$i" 1 --test --variants 6 --sequences 1 --frames 8 --least 512 ${first:+--env "$first"} "${part[@]}" &
done
wait
