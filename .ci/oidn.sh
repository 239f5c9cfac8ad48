#!/usr/bin/env bash
# oidn.sh DIRECTORY: puts Intel Open Image Denoise into DIRECTORY/lib: of a Python package that holds the project's own
# builds, the parts for processors and CUDA (57 MB).
set -euo pipefail
folder=$1
requirement='pyoidn==2.5.1.0 --hash=sha256:32ad13368f8de1ef63001942ad05b02a00cd732d1206d97f352d3a3f606d823e'

[ "$(uname -sm)" = "Linux x86_64" ] || {
  echo "There is no such package for $(uname -sm): unpack a release of OIDN 2 and set OIDN_DIR to its folder." >&2
  exit 1
}
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
PIP_ROOT_USER_ACTION=ignore python3 -m pip download --quiet --no-deps --require-hashes --dest "$fetched" \
  --requirement /dev/stdin <<<"$requirement"
python3 -m zipfile -e "$fetched"/*.whl "$fetched"

# They look for each other in ../lib, so the folder keeps its name.
rm -rf "$folder"
mkdir -p "$folder/lib"
for name in .so.2 _core.so.2.5.1 _device_cpu.so.2.5.1 _device_cuda.so.2.5.1; do
  cp "$fetched/pyoidn/oidn/lib/libOpenImageDenoise$name" "$folder/lib/"
done
cp "$fetched/pyoidn/oidn/lib/libtbb.so.12" "$folder/lib/"
cp "$fetched"/pyoidn-*.dist-info/licenses/LICENSE "$folder/"
