#!/usr/bin/env bash
# Builds the images headwater/SERVICE without an engine, by buildah, and gives their sizes.
#
#   helm/tools/image.sh SERVICE…      all eight when none is named
# The base is a Debian root with python3 (mmdebstrap, kept in .stack/tools/base.tar), or PYTHON_IMAGE, such as the official
# one that is the Dockerfile's default. BUILD_FLAGS go to buildah (--volume for a pip.conf and certificates).
set -euo pipefail
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=${STORAGE_DRIVER:-overlay}
if [ $# -eq 0 ]; then
  set -- commit-ingest merkle-differ ast-chunker embedder vector-sink defref-sink reconciler query
fi
base=${PYTHON_IMAGE:-localhost/python-base}
if [ -z "${PYTHON_IMAGE:-}" ] && ! buildah images -q "$base" >/dev/null 2>&1; then
  tar=.stack/tools/base.tar
  mkdir -p .stack/tools
  [ -s "$tar" ] || mmdebstrap -q --variant=minbase --include=ca-certificates,python3,python3-venv bookworm "$tar"
  container=$(buildah from scratch)
  buildah add -q "$container" "$tar" / >/dev/null
  buildah commit -q "$container" "$base" >/dev/null
  buildah rm "$container" >/dev/null
fi
for service in "$@"; do
  # shellcheck disable=SC2086
  nice -n 10 buildah build -q --layers ${BUILD_FLAGS:-} --build-arg "PYTHON_IMAGE=$base" --build-arg "SERVICE=$service" \
    --build-arg "EXTRAS=$service,tracing" -t "headwater/$service" . >/dev/null
  buildah images --format '{{.Name}} {{.Size}}' "headwater/$service"
done
