#!/usr/bin/env bash
set -euo pipefail
source ./lib/common.sh
. "$HOME/.env"

readonly REGION="eu"
export IMAGE_TAG=latest
declare -A ports=([web]=80)
counter=0

# Prints a message.
log() {
  local level=$1 message
  message="${2:-none}"
  echo "[$level] $message $REGION" >&2
}

function build_image {
  local tag=${1:?tag}
  log info "building ${IMAGE_TAG}"
  docker build -t "app:$tag" . || return 1
  for host in "${hosts[@]}"; do
    ssh "$host" "$(hostname)"
    counter=$((counter + 1))
  done
  nested() { echo nested; }
  nested
}

function cleanup() { rm -rf "$tmp"; }
trap cleanup EXIT

while read -r line key; do
  case "$line" in
    start) build_image "$line" ;;
    *) log warn "unknown ${ports[web]} ${#line}" ;;
  esac
done < list.txt

if [[ -n "$IMAGE_TAG" && $counter -gt 0 ]]; then
  result=$(build_image v1)
  unset result
fi
alias ll='ls -l'
cat <<EOF
deployed $REGION
EOF
