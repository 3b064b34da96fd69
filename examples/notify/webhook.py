#!/usr/bin/env python3
"""Posts the whole request, and again when it is decided (`event`: requested, resolved), to an address of yours, signed, for a program that knows what to do with it.

approvals: {notify: {command: [python3, /home/me/notify/webhook.py, https://example.org/asked, /home/me/.config/toolctl/webhook-key]}}

`X-Toolctl-Signature` is the HMAC-SHA256 of the body with the key in the file, hex. Whoever receives it can show it, and
answers by `toolctl approvals allow|deny ID` on this machine.
"""

import hashlib
import hmac
import json
import pathlib
import sys
import urllib.request

address, key = sys.argv[1], pathlib.Path(sys.argv[2]).read_bytes().strip()
body = json.dumps(json.load(sys.stdin)).encode()
signature = hmac.new(key, body, hashlib.sha256).hexdigest()
post = urllib.request.Request(
    address, data=body, headers={"Content-Type": "application/json", "X-Toolctl-Signature": signature}
)
with urllib.request.urlopen(post, timeout=10):
    pass
