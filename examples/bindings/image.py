#!/usr/bin/env python3
"""Runs the tool `image` by any server with the chat API of OpenAI (llama.cpp, vLLM, Ollama).

    bindings:
      image: {command: [/etc/toolctl/image.py, "http://127.0.0.1:8080/v1", llava]}

toolctl has held the files against the rules about paths before this runs; it runs in the workspace.
"""
import base64
import json
import mimetypes
import sys
import urllib.request

server, model = sys.argv[1:3]
args = json.load(sys.stdin)["args"]
names = ([args["image"]] if "image" in args else []) + args.get("images", [])
if not names:
    sys.exit("name a picture: `image` or `images`")


def address(name):
    if name.startswith(("http://", "https://", "data:")):
        return name
    with open(name, "rb") as file:
        data = file.read()
    kind = mimetypes.guess_type(name)[0] or "image/png"
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


content = [{"type": "text", "text": args.get("prompt", "Describe the picture.")}]
content += [{"type": "image_url", "image_url": {"url": address(name)}} for name in names]
body = {"model": args.get("model", model), "messages": [{"role": "user", "content": content}]}
request = urllib.request.Request(
    f"{server}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
)
with urllib.request.urlopen(request, timeout=110) as answer:
    print(json.load(answer)["choices"][0]["message"]["content"])
