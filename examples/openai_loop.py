"""An agent loop with the OpenAI SDK: toolctl declares the tools, decides the calls and runs them."""
import json, subprocess, sys
from openai import OpenAI

def toolctl(*args, given=None):
    return json.loads(subprocess.run(["toolctl", *args], input=given, stdout=subprocess.PIPE, text=True).stdout)

client, tools = OpenAI(), toolctl("schema", "--provider", "openai")
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    reply = client.chat.completions.create(model="gpt-5.5", messages=messages, tools=tools).choices[0].message
    messages.append(reply.model_dump(exclude_none=True))
    if not reply.tool_calls:
        break
    messages += toolctl("exec", "-", "--result-format", "openai", "--jobs", "8", given=reply.model_dump_json())
print(reply.content)
