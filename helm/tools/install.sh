#!/usr/bin/env bash
# Builds kube-score, helm-docs and grpcurl (or only those named) into .stack/tools; a second run changes nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin="$PWD/.stack/tools/bin"
mkdir -p "$bin"
export GOBIN="$bin" GOFLAGS="-p=2 -trimpath"

if ! command -v go >/dev/null; then
  echo "go is not installed: https://go.dev/doc/install" >&2
  exit 1
fi

# build NAME VERSION PACKAGE: unless another one is asked for, or this version is there already
build() {
  case " $asked " in *" $1 "*) ;; *) return ;; esac
  if [ -x "$bin/$1" ] && [ "$(cat "$bin/.$1" 2>/dev/null)" = "$2" ]; then return; fi
  echo "building $1 $2"
  nice -n 15 go install "$3@$2"
  echo "$2" > "$bin/.$1"
}

asked=${*:-kube-score helm-docs grpcurl}
build kube-score v1.20.0 github.com/zegl/kube-score/cmd/kube-score
build helm-docs v1.14.2 github.com/norwoodj/helm-docs/cmd/helm-docs
build grpcurl v1.9.3 github.com/fullstorydev/grpcurl/cmd/grpcurl
