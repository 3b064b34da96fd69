"""What the three examples have in common: the request that toolctl gives on standard input, fit to be shown."""

import json
import sys

MOST = 300


def shown(text):
    """One line; what is not plainly visible is written by its number, and what is cut says so."""
    line = "".join(c if " " <= c <= "~" else f"<U+{ord(c):04X}>" for c in str(text))
    return line if len(line) <= MOST else f"{line[:MOST]}... ({len(line) - MOST} more characters: toolctl approvals show)"


def read():
    """The request. Of one that was decided nothing is told: who decided it knows."""
    request = json.load(sys.stdin)
    if request.get("event") == "resolved":
        sys.exit(0)
    return request


def title(request):
    return f"toolctl: {shown(request['agent'])} asks to run {shown(request['tool'])}"


def body(request):
    return "\n".join(
        [
            shown(request["command"]),
            f"in {shown(request['cwd'])}",
            f"asks because: {shown(request['reason'])}",
            f"decide until {shown(request['expiresAt'])}: toolctl approvals show {shown(request['slug'])}",
        ]
    )
