#!/usr/bin/env python3
"""Shows a request as a notification of the desktop.

approvals: {notify: {command: [python3, /home/me/notify/desktop.py]}}
"""

import html
import subprocess

import request

asked = request.read()
# Notification servers read the body as markup.
body = html.escape(request.body(asked), quote=False)
subprocess.run(
    ["notify-send", "--urgency=critical", "--app-name=toolctl", "--", request.title(asked), body], check=True
)
