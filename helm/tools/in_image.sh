#!/usr/bin/env bash
# Runs a command in a root file system as the chart's pods do: read-only, as USER, without privileges or capabilities, with the
# image's environment and what begins with HEADWATER_ or GIT_CONFIG_ of this one. Writable are /tmp and the folder DATA.
#
#   in_image.sh ROOT USER DATA ENVIRONMENT COMMAND…     ENVIRONMENT: a file of NAME=value lines, the image's own
# It needs root for the mounts, which end with the command.
set -euo pipefail
export root=$1 user=$2 data=$3 own=$4
shift 4
# shellcheck disable=SC2016
exec unshare --mount --propagation private -- bash -c '
  set -euo pipefail
  top=$(mktemp -d)
  mount -t tmpfs tmpfs "$top"
  mkdir "$top/upper" "$top/work" "$top/root"
  mount -t overlay overlay -o "lowerdir=$root,upperdir=$top/upper,workdir=$top/work" "$top/root"
  mkdir -p "$top/root/tmp"
  mount -t tmpfs -o size=512m,mode=1777 tmpfs "$top/root/tmp"
  mkdir -p "$top/root$data"
  mount -o bind "$data" "$top/root$data"
  mount -o rbind /dev "$top/root/dev"
  mount -t proc proc "$top/root/proc"
  mount -o remount,ro "$top/root"
  mapfile -t given < <(cat "$own"; env | grep -E "^(HEADWATER_|GIT_CONFIG_)" || true)
  cd /
  exec chroot "$top/root" setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all \
    --inh-caps=-all env -i "${given[@]}" "$@"
' _ "$@"
