#!/usr/bin/env bash
# Builds heapvet from the action's own source, so that the version of the action is
# the version of heapvet.
set -euo pipefail

go build -C "$GITHUB_ACTION_PATH" -o "$RUNNER_TEMP/heapvet-bin/" ./cmd/heapvet
