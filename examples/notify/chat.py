#!/usr/bin/env python3
"""Posts a request to a chat's incoming webhook (Slack, Mattermost, Rocket.Chat and others take this form).

approvals: {notify: {command: [python3, /home/me/notify/chat.py, /home/me/.config/toolctl/chat-url]}}

The file holds the address of the webhook, which is a secret; only you should be able to read it.
"""

import json
import pathlib
import sys
import urllib.request

import request

address = pathlib.Path(sys.argv[1]).read_text().strip()
asked = request.read()
# Nothing in a command is to be read as a link, a mention or the end of the block.
body = request.body(asked).replace("`", "'").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
text = f"{request.title(asked)}\n```\n{body}\n```"
post = urllib.request.Request(
    address, data=json.dumps({"text": text}).encode(), headers={"Content-Type": "application/json"}
)
with urllib.request.urlopen(post, timeout=10):
    pass
