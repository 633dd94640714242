#!/usr/bin/env bash
# Tests the action's steps outside GitHub: with the environment that GitHub sets, in a
# clone of one commit of a project whose pull request brings in one finding.
set -euo pipefail

action=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'FAIL: %s\n' "$*" >&2
  exit 1
}

# The project: one old finding on main, one new one on the branch.
git init --quiet --initial-branch=main "$work/origin"
cd "$work/origin"
git config user.name test
git config user.email test@example.com
git config uploadpack.allowAnySHA1InWant true
mkdir sub
printf 'module example.com/project\n\ngo 1.26\n' >sub/go.mod
cat >sub/old.go <<'GO'
package project

type Old struct {
	Name string `json: "name"`
}
GO
git add .
git commit --quiet -m 'old finding'
git switch --quiet -c change
sed -e 's/Old/New/' sub/old.go >sub/new.go
git add .
git commit --quiet -m 'new finding'
git switch --quiet main
git commit --quiet --allow-empty -m 'main moves on'

export RUNNER_OS=Linux RUNNER_ARCH=X64 RUNNER_TEMP=$work/temp
export GITHUB_ACTION_PATH=$action GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=o/r
mkdir "$RUNNER_TEMP"

step() { # runs a step's script with fresh output files; its status is in $status
  export GITHUB_OUTPUT=$work/output GITHUB_STEP_SUMMARY=$work/summary
  : >"$GITHUB_OUTPUT"
  : >"$GITHUB_STEP_SUMMARY"
  status=0
  "$action/integrations/github/$1" >"$work/stdout" 2>"$work/stderr" || status=$?
}

expect() { # expect FILE PATTERN
  grep -q -e "$2" "$work/$1" || fail "$name: no $2 in $1: $(cat "$work/$1" "$work/stderr")"
}

name='key and build'
step key.sh
expect output '^key=heapvet-Linux-X64-go1[0-9.]*-[0-9a-f]*$'
cp "$work/output" "$work/key"
step key.sh
cmp -s "$work/output" "$work/key" || fail 'the key is another one each time'
step build.sh
[[ $status == 0 && -x $RUNNER_TEMP/heapvet-bin/heapvet ]] || fail "no heapvet: $(cat "$work/stderr")"

checkout() { # as actions/checkout does: one commit
  cd "$work"
  rm -rf checkout
  git clone --quiet --depth=1 --branch="$1" "file://$work/origin" "$work/checkout"
  cd "$work/checkout"
  GITHUB_SHA=$(git rev-parse HEAD)
  export GITHUB_SHA
}

name='pull request'
checkout change
GITHUB_BASE_REF=main HEAPVET_DIR=sub step run.sh
[[ $status == 1 ]] || fail "$name: status $status: $(cat "$work/stderr")"
expect stdout '^::warning file=sub/new.go,line=4'
if grep -q old.go "$work/stdout"; then fail "$name: the old finding is reported"; fi
expect output '^result=findings$'
expect output "^sarif-file=$RUNNER_TEMP/heapvet.sarif$"
expect summary "blob/$GITHUB_SHA/sub/new.go"
grep -q '"version": *"2.1.0"' "$RUNNER_TEMP/heapvet.sarif" || fail "$name: no SARIF"

name='pull request that fails at errors only'
GITHUB_BASE_REF=main HEAPVET_DIR=sub HEAPVET_FAIL_ON=never step run.sh
[[ $status == 0 ]] || fail "$name: status $status: $(cat "$work/stderr")"
expect stdout new.go

name='push'
checkout change
HEAPVET_DIR=sub HEAPVET_ARGS='-tags some -fieldtag' HEAPVET_PACKAGES='. ./...' step run.sh
[[ $status == 1 ]] || fail "$name: status $status: $(cat "$work/stderr")"
expect stdout 'file=sub/new.go'
expect stdout 'file=sub/old.go'

name='base that only the remote has'
checkout change
HEAPVET_BASE=main HEAPVET_DIR=sub step run.sh
[[ $status == 1 ]] || fail "$name: status $status: $(cat "$work/stderr")"
if grep -q old.go "$work/stdout"; then fail "$name: the old finding is reported"; fi

name='nothing new'
checkout main
HEAPVET_BASE=HEAD HEAPVET_DIR=sub step run.sh
[[ $status == 0 ]] || fail "$name: status $status: $(cat "$work/stderr")"
expect output '^result=clean$'

name='code that does not build'
checkout main
echo 'package project; func f() { x }' >sub/broken.go
HEAPVET_DIR=sub step run.sh
[[ $status == 2 ]] || fail "$name: status $status"
expect output '^result=failed$'

echo 'the steps of the action work'
