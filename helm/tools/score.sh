#!/usr/bin/env bash
# Judges the rendered examples by kube-score, where `make chart-tools` has built it.
set -euo pipefail
cd "$(dirname "$0")/../.."
score=.stack/tools/bin/kube-score
if [ ! -x "$score" ]; then
  echo "kube-score is not there (make chart-tools): skipped"
  exit 0
fi
# Left out on purpose: no CPU limits (throttling delays heartbeats), pull policy and anti-affinity are the operator's
# choice (spread constraints are set), the defaults reserve ephemeral storage.
for example in small large; do
  "$score" score --output-format ci --kubernetes-version v1.30 \
    --ignore-test container-image-pull-policy \
    --ignore-test deployment-has-host-podantiaffinity \
    --ignore-test statefulset-has-host-podantiaffinity \
    --ignore-container-cpu-limit \
    "helm/rendered/$example.yaml" | { grep -v '\[OK\]\|\[SKIPPED\]' || true; }
done
