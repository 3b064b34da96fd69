"""An agent loop with the Google Gen AI SDK: toolctl declares the tools, decides the calls and runs them."""
import json, subprocess, sys
from google import genai

def toolctl(*args, given=None):
    return json.loads(subprocess.run(["toolctl", *args], input=given, stdout=subprocess.PIPE, text=True).stdout)

client, config = genai.Client(), {"tools": toolctl("schema", "--provider", "gemini")}
contents = [genai.types.UserContent(sys.argv[1])]
while True:
    reply = client.models.generate_content(model="gemini-3-pro", contents=contents, config=config)
    contents.append(reply.candidates[0].content)
    if not reply.function_calls:
        break
    answer = toolctl("exec", "-", "--result-format", "gemini", "--jobs", "8", given=contents[-1].model_dump_json())
    contents.append(genai.types.Content.model_validate(answer))
print(reply.text)
