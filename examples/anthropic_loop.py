"""An agent loop with the Anthropic SDK: toolctl declares the tools, decides the calls and runs them."""
import json, subprocess, sys
from anthropic import Anthropic

def toolctl(*args, given=None):
    return json.loads(subprocess.run(["toolctl", *args], input=given, stdout=subprocess.PIPE, text=True).stdout)

client, tools = Anthropic(), toolctl("schema", "--provider", "anthropic")
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    reply = client.messages.create(model="claude-opus-5-5", max_tokens=4096, messages=messages, tools=tools)
    messages.append({"role": "assistant", "content": reply.content})
    if reply.stop_reason != "tool_use":
        break
    messages.append(toolctl("exec", "-", "--result-format", "anthropic", "--jobs", "8", given=reply.model_dump_json()))
print(reply.content[-1].text)
