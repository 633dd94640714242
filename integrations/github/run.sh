#!/usr/bin/env bash
# Runs heapvet in a GitHub job: annotations on standard output, a summary on the
# job's page, a SARIF file, and the step's outputs "result" and "sarif-file".
#
# HEAPVET_PACKAGES, HEAPVET_DIR, HEAPVET_BASE, HEAPVET_ARGS and HEAPVET_FAIL_ON are
# the action's inputs; the rest of the environment is GitHub's.
set -euo pipefail

export PATH="$RUNNER_TEMP/heapvet-bin:$PATH"
summary=$RUNNER_TEMP/heapvet-summary.md
sarif=$RUNNER_TEMP/heapvet.sarif
rm -f "$summary" "$sarif"

# The inputs are lists of words.
read -ra packages <<<"${HEAPVET_PACKAGES:-./...}"
read -ra args <<<"${HEAPVET_ARGS:-}"

# find_base sets base to the revision to compare with, if any, after making sure that
# git has it with its history: a checkout has one commit only, unless told otherwise.
find_base() {
  base=""
  if [[ -z ${HEAPVET_BASE:-}${GITHUB_BASE_REF:-} ]]; then
    return
  fi
  if [[ $(git rev-parse --is-shallow-repository) == true ]]; then
    git fetch --quiet --no-tags --unshallow origin
  fi
  if [[ -z ${HEAPVET_BASE:-} ]]; then
    base=origin/$GITHUB_BASE_REF
    git fetch --quiet --no-tags origin "+refs/heads/$GITHUB_BASE_REF:refs/remotes/$base"
  elif git rev-parse --quiet --verify "$HEAPVET_BASE^{commit}" >/dev/null; then
    base=$HEAPVET_BASE
  else
    # A branch, tag or commit that only the remote has.
    git fetch --quiet --no-tags origin "$HEAPVET_BASE"
    base=$(git rev-parse FETCH_HEAD)
  fi
}

find_base
command=(heapvet)
if [[ -n $base ]]; then
  command+=(gate "-base=$base")
fi
command+=(-C "${HEAPVET_DIR:-.}" -f "github,markdown=$summary,sarif=$sarif")
if [[ -n ${HEAPVET_FAIL_ON:-} ]]; then
  command+=("-fail-on=$HEAPVET_FAIL_ON")
fi
if [[ -n ${GITHUB_SERVER_URL:-} && -n ${GITHUB_REPOSITORY:-} && -n ${GITHUB_SHA:-} ]]; then
  command+=("-link-base=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/blob/$GITHUB_SHA")
fi
# The expansions are so written for bash 3.2 on macOS, to which an empty array is unset.
command+=(${args[@]+"${args[@]}"} "${packages[@]}")

status=0
"${command[@]}" || status=$?

if [[ -s $summary ]]; then
  cat "$summary" >>"$GITHUB_STEP_SUMMARY"
fi
if [[ -s $sarif ]]; then
  echo "sarif-file=$sarif" >>"$GITHUB_OUTPUT"
fi
case $status in
  0) result=clean ;;
  1) result=findings ;;
  *) result=failed ;;
esac
echo "result=$result" >>"$GITHUB_OUTPUT"
exit "$status"
