#!/usr/bin/env python3
"""Runs the tool `tts` by a speech program of this machine. It writes a file into the workspace and names it.

    bindings:
      tts: {command: [/etc/toolctl/tts.py, espeak-ng, -w, "{file}", "{text}"]}
"""
import json
import os
import re
import subprocess
import sys

call = json.load(sys.stdin)
name = "speech-" + re.sub(r"[^A-Za-z0-9]", "", call["id"])[-24:] + ".wav"
os.makedirs("media", exist_ok=True)
path = f"media/{name}"
words = {"{file}": path, "{text}": call["args"]["text"]}
# Each word is one argument, so no text becomes an option of its own or a command.
subprocess.run([words.get(word, word) for word in sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
print(json.dumps({"content": f"The sound is in {path}.", "details": {"media": {"mediaUrl": path, "audioAsVoice": True}}}))
