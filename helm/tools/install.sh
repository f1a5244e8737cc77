#!/usr/bin/env bash
# Builds kube-score and helm-docs into .stack/tools, one at a time; a second run changes nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin="$PWD/.stack/tools/bin"
mkdir -p "$bin"
export GOBIN="$bin" GOFLAGS="-p=1 -trimpath"

# build NAME VERSION PACKAGE: unless this version is there already
build() {
  if [ -x "$bin/$1" ] && [ "$(cat "$bin/.$1" 2>/dev/null)" = "$2" ]; then return; fi
  echo "building $1 $2"
  nice -n 15 go install "$3@$2"
  echo "$2" > "$bin/.$1"
}

build kube-score v1.20.0 github.com/zegl/kube-score/cmd/kube-score
build helm-docs v1.14.2 github.com/norwoodj/helm-docs/cmd/helm-docs
