#!/usr/bin/env bash
# Prints, as the step's output "key", a name for the build of heapvet that the
# action's own source gives with the Go version at hand.
set -euo pipefail

cd "$GITHUB_ACTION_PATH"
digest=$(find go.mod go.sum cmd internal analyzers -type f -print0 | LC_ALL=C sort -z |
  xargs -0 cat | git hash-object --stdin)
echo "key=heapvet-$RUNNER_OS-$RUNNER_ARCH-$(go env GOVERSION)-$digest" >>"$GITHUB_OUTPUT"
