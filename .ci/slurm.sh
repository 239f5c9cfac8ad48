#!/usr/bin/env bash
# slurm.sh GLINT: a film on a Slurm cluster of two nodes, which are processes of this machine. The batch script is the one in
# docs/farm.md. One node is killed while it renders, and another task is asked to end; both are queued again, and the film is
# that of a single run, bit for bit.
# Needs root, as Slurm's daemons do.
set -euo pipefail

glint=$(realpath "$1")
docs=$(realpath "$(dirname "$0")/../docs/farm.md")
work=$(mktemp -d)
cd "$work"

pids=()
# finish ends whatever was started, and shows what Slurm said if something went wrong.
finish() {
  code=$?
  set +e
  [ "$code" -eq 0 ] || tail -n 20 "$work"/*.log "$work"/slurm-*.out >&2
  pkill -KILL slurmstepd
  kill -KILL "${pids[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT

step() { echo "slurm: $*" >&2; }

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || { step "waited in vain for: $*"; return 1; }
    sleep 0.5
  done
}

step "starting munge, a controller and two nodes"
mkdir state node1 node2 frames single
head -c 1024 /dev/urandom > munge.key
chmod 600 munge.key
chmod 755 "$work"
munged --foreground --force --socket="$work/munge.socket" --key-file="$work/munge.key" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge.seed" --num-threads=1 >/dev/null 2>&1 &
pids+=($!)
host=$(hostname -s)
export SLURM_CONF="$work/slurm.conf"
cat > slurm.conf <<END
ClusterName=glint
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldTimeout=10
SlurmdTimeout=10
InactiveLimit=0
KillWait=5
ReturnToService=2
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/%n/slurmd.pid
SlurmdSpoolDir=$work/%n
SlurmdLogFile=$work/%n.log
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16821 CPUs=1
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16822 CPUs=1
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
END
wait_for 20 test -S munge.socket
slurmctld -D -c >/dev/null 2>&1 &
pids+=($!)
for node in node1 node2; do
  slurmd -D -N "$node" >/dev/null 2>&1 &
  pids+=($!)
  eval "$node=$!"
done
wait_for 60 sh -c 'test "$(sinfo -h -t idle -o %D)" = 2'

step "the batch script of docs/farm.md"
awk '/^```/ { inside = 0 } inside; /^```sh film.sbatch/ { inside = 1 }' "$docs" > film.sbatch
test -s film.sbatch
# A film that is small enough for a test. The nodes are of this machine, and so is their disk.
sed -i "s|^glint video scene.glb |$glint video cornell --backend cpu --size 160x120 --spp 256 |; s|240|12|g" film.sbatch
grep -q -- '--frames 0:12' film.sbatch
cat film.sbatch >&2
job=$(sbatch --parsable --array=0-3 film.sbatch)
wait_for 120 sh -c 'ls frames/*.png'

step "asking a task to end, as Slurm does before its time is over"
timeout 5 scancel --batch --signal=USR1 "${job}_0" || true # it waits for the task's new beginning
wait_for 30 grep -q 'run it again to go on' "slurm-${job}_0.out"

step "killing node2, with what it renders"
sinfo -N >&2
squeue >&2
kill -KILL "$node2"
for environment in /proc/[0-9]*/environ; do # what Slurm runs there, and who watches it
  if grep -qsz '^SLURMD_NODENAME=node2$' "$environment"; then
    process=$(basename "$(dirname "$environment")")
    parent=$(awk '{print $4}' "/proc/$process/stat" 2>/dev/null) || continue
    case $(cat "/proc/$parent/comm" 2>/dev/null) in slurmstepd) kill -KILL "$parent" || true ;; esac
    kill -KILL "$process" 2>/dev/null || true
  fi
done
lost=$(squeue -h -w node2 -o %i)
test -n "$lost"
wait_for 60 sh -c 'sinfo -h -N -n node2 -t down | grep -q node2'
squeue >&2

step "waiting for the film"
wait_for 300 sh -c "test -z \"\$(squeue -h -j $job)\""
sed 's/^/slurm: /' slurm-*.out >&2
grep -i requeue slurmctld.log | sed 's/^/slurm: /' >&2
[ "$(ls frames | wc -l)" -eq 12 ]

step "comparing with a single run"
"$glint" video cornell --backend cpu --size 160x120 --spp 256 --orbit 12 --frames 0:12 -o single
for f in single/*.png; do cmp "$f" "frames/$(basename "$f")"; done
if command -v ffmpeg >/dev/null; then "$glint" video --join frames -o film.mp4; fi
step "12 frames are those of a single run"
