#!/usr/bin/env bash
# Builds kube-apiserver and etcd from their Go modules into .stack/tools/apiserver (some 800 CPU seconds, once).
set -euo pipefail
cd "$(dirname "$0")/../.."
version=v1.35.4 minor=35
staging=v0.$minor.${version##*.}
folder="$PWD/.stack/tools/apiserver"
mkdir -p "$folder/build"
if [ -x "$folder/kube-apiserver" ] && [ "$(cat "$folder/version" 2>/dev/null)" = "$version" ]; then exit; fi
if ! command -v go >/dev/null; then
  echo "go is not installed: https://go.dev/doc/install" >&2
  exit 1
fi

# Kubernetes' own pins, in a module of ours: its go.mod replaces what it stages by folders that its module doesn't carry.
cd "$folder/build"
source=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
install -m 644 "$source/go.mod" "$source/go.sum" .
sed -i -E "s#^module .*#module apiserver#; s#=> \./staging/src/([^ ]+)#=> \1 $staging#" go.mod
export GOFLAGS=-mod=mod
go mod edit -require="k8s.io/kubernetes@$version"
named="-X k8s.io/component-base/version.gitVersion=$version
  -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=$minor"
echo "building etcd and kube-apiserver $version"
nice -n 15 go build -trimpath -ldflags "-s -w" -o "$folder/etcd" go.etcd.io/etcd/server/v3
nice -n 15 go build -trimpath -ldflags "-s -w $named" -o "$folder/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
echo "$version" > "$folder/version"
