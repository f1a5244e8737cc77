#!/usr/bin/env bash
# Chromium and its driver for the tests of the page, by apt where this user may (213 MB, about a minute); then nothing.
set -euo pipefail
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then exit; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "Chromium is not installed: apt-get install -y --no-install-recommends chromium chromium-driver" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >/dev/null
apt-get install -q -y --no-install-recommends chromium chromium-driver >/dev/null
