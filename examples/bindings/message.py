#!/usr/bin/env python3
"""Runs the tool `message` by a webhook: each action becomes one POST of JSON.

    bindings:
      message: {command: [/etc/toolctl/message.py, "http://127.0.0.1:8080/hook"], async: true}

With `async: true` a call is answered at once; `toolctl audit` shows how it ended (`delivered`).
"""
import json
import sys
import urllib.request

call = json.load(sys.stdin)
args, context = call["args"], call["context"]
action = {"reply": "thread-reply", "reaction": "react"}.get(args["action"], args["action"])
event = {
    "id": call["id"],  # a receiver that knows it already does nothing: no message twice
    "action": action,
    "channel": args.get("channel") or context["channel"],
    "account": args.get("accountId") or context["account"],
    "target": args.get("target") or context["group"],
    "thread": args.get("threadId") or context["thread"],
}
if action in ("send", "thread-reply"):
    event |= {"text": args.get("message", ""), "replyTo": args.get("replyTo"), "media": args.get("media")}
elif action == "react":
    # No emoji takes all of our reactions away, `remove` takes away the one that is named.
    remove = args.get("remove", False) or not args["emoji"]
    event |= {"message": args.get("messageId"), "emoji": args["emoji"], "remove": remove}
elif action == "poll":
    event |= {
        "question": args["pollQuestion"],
        "options": args["pollOption"],
        "multiple": args.get("pollMulti", False),
        "hours": args.get("pollDurationHours"),
    }
else:
    sys.exit(f"this channel cannot do `{action}`")
if args.get("dryRun"):
    print(json.dumps(event))
    sys.exit()
request = urllib.request.Request(
    sys.argv[1], json.dumps(event).encode(), {"Content-Type": "application/json", "Idempotency-Key": call["id"]}
)
with urllib.request.urlopen(request, timeout=30) as answer:
    body = answer.read(1 << 20).decode()
print(json.dumps({"content": f"Done: {action}.", "details": {"answer": body}}))
