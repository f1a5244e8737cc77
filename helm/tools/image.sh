#!/usr/bin/env bash
# Builds the image of one service without an engine and asks it for its settings under a read-only root.
#
#   helm/tools/image.sh SERVICE [BASE.tar]     BASE: a root file system with python3 and python3-venv, as made by
#       mmdebstrap --variant=minbase --include=ca-certificates,python3,python3-venv bookworm base.tar
# Without BASE the official image of the Dockerfile is pulled. BUILD_FLAGS go to buildah (--volume for a pip.conf).
set -euo pipefail
cd "$(dirname "$0")/../.."
service=$1 base=${2:-}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=${STORAGE_DRIVER:-overlay}
arguments=(--build-arg "SERVICE=$service" --build-arg "EXTRAS=$service,tracing")
if [ -n "$base" ]; then
  container=$(buildah from scratch)
  buildah add -q "$container" "$base" / >/dev/null
  buildah commit -q "$container" localhost/python-base >/dev/null
  buildah rm "$container" >/dev/null
  arguments+=(--build-arg PYTHON_IMAGE=localhost/python-base)
fi
# shellcheck disable=SC2086
buildah build -q ${BUILD_FLAGS:-} "${arguments[@]}" -t "headwater/$service" .
container=$(buildah from "headwater/$service")
trap 'buildah rm "$container" >/dev/null' EXIT
buildah run "$container" -- headwater service "$service" --settings | sed -n 1,4p
buildah run "$container" -- sh -c 'id -u; test ! -w /opt/headwater && test ! -w /etc && echo "nothing of the root can be written"'
buildah images --format '{{.Name}} {{.Size}}' "headwater/$service"
