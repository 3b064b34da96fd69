#!/bin/sh
# Checks a change of the policy against a revision: tests, findings, and what it loosens.
# Usage: check.sh BASE [DIRECTORY]   BASE is a git revision; reports are written to DIRECTORY (default: policy-report)
# Exit code: 0 nothing to object to, 1 a test fails or the change loosens the policy, 2 a file is wrong.
set -u
base=${1:?usage: check.sh BASE [DIRECTORY]}
reports=${2:-policy-report}
policy=${TOOLCTL_POLICY:-.toolctl.yaml}
mkdir -p "$reports" || exit 2
worst=0
note() {
    if [ "$1" -gt "$worst" ]; then worst=$1; fi
}
toolctl test -o junit > "$reports/tests.xml"
note $?
# Findings are shown beside the lines, and do not stop anything; a file that does not load does.
toolctl lint "$policy" -o sarif > "$reports/lint.sarif"
if [ $? -gt 1 ]; then note 2; fi
toolctl diff "$base:$policy" "$policy" --fail-on looser -o markdown > "$reports/diff.md"
note $?
cat "$reports/diff.md"
exit "$worst"
