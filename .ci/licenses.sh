#!/usr/bin/env bash
# licenses.sh DIRECTORY: collects the licence texts of all that is linked into the binary. It fails when a module has none
# or is not named in assets/LICENSES.md.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
rm -rf "$out"

# take NAME FOLDER: the licence files that lie in FOLDER.
take() {
  local files
  mapfile -t files < <(find "$2/" -maxdepth 1 -type f -iregex '.*/\(licen[cs]e\|copying\|notice\|ofl\)[^/]*' | sort)
  [ ${#files[@]} -gt 0 ] || { echo "No licence text in $2" >&2; exit 1; }
  mkdir -p "$out/$1"
  cp --no-preserve=mode "${files[@]}" "$out/$1/"
}

linked=$(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' . | sort -u)
while read -r module folder; do
  take "$module" "$folder"
  name=$(basename "${module%/v[0-9]}")
  grep -qE "[/ ]$name\b" assets/LICENSES.md || { echo "assets/LICENSES.md does not name $module" >&2; exit 1; }
done <<<"$linked"
take glint .
take go "$(go env GOROOT)"

# C and C++ that modules bring along.
gui=$(go list -m -f '{{.Dir}}' github.com/AllenDang/cimgui-go)
take dear-imgui "$gui/cwrappers/imgui"
take implot "$gui/cwrappers/implot"
take glfw "$(go list -m -f '{{.Dir}}' github.com/go-gl/glfw/v3.3/glfw)/glfw"
mkdir -p "$out/stb"
sed -n '/^This software is available under 2 licenses/,/^\*\//p' "$gui/cwrappers/imgui/imstb_truetype.h" >"$out/stb/LICENSE"
[ -s "$out/stb/LICENSE" ]
sed -n '/^\/\/ ProggyClean.ttf$/,/^\/\/ Download/p' "$gui/cwrappers/imgui/imgui_draw.cpp" >"$out/dear-imgui/ProggyClean"
[ -s "$out/dear-imgui/ProggyClean" ]
cp --no-preserve=mode "$(go list -m -f '{{.Dir}}' github.com/golang/freetype)/licenses/ftl.txt" "$out/github.com/golang/freetype/"
