"""A model that is none: it asks for three calls at once, then says what it was answered. All APIs of the examples."""
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALLS = [("exec", {"command": "echo from the tool"}), ("read", {"path": "picture.png"}), ("exec", {"command": "curl https://example.com"})]

def chat(body):
    if body["messages"][-1]["role"] == "tool":
        answers = [m for m in body["messages"] if m["role"] == "tool"]
        assert [a["tool_call_id"] for a in answers] == ["c0", "c1", "c2"], answers
        message = {"role": "assistant", "content": json.dumps([a["content"] for a in answers])}
    else:
        assert {t["function"]["name"] for t in body["tools"]} >= {"exec", "read"}
        calls = [{"id": f"c{i}", "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, (n, a) in enumerate(CALLS)]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}

def messages(body):
    last = body["messages"][-1]["content"]
    if isinstance(last, list):
        assert [(b["type"], b["tool_use_id"]) for b in last] == [("tool_result", f"c{i}") for i in range(3)], last
        assert body["messages"][-1]["role"] == "user" and last[2]["is_error"] is True, last
        assert "image" in json.dumps(last[1]), last[1]
        content, reason = [{"type": "text", "text": json.dumps(last)}], "end_turn"
    else:
        assert {t["name"] for t in body["tools"]} >= {"exec", "read"}
        content, reason = [{"type": "tool_use", "id": f"c{i}", "name": n, "input": a} for i, (n, a) in enumerate(CALLS)], "tool_use"
        content.insert(0, {"type": "text", "text": "Let me see."})
    return {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason, "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1}}

def gemini(body):
    last = body["contents"][-1]["parts"]
    if any("functionResponse" in p for p in last):
        assert [p["functionResponse"]["name"] for p in last] == [n for n, _ in CALLS], last
        assert "error" in last[2]["functionResponse"]["response"], last[2]
        parts = [{"text": json.dumps(last)}]
    else:
        assert {d["name"] for t in body["tools"] for d in t["functionDeclarations"]} >= {"exec", "read"}
        parts = [{"text": "Let me see."}] + [{"functionCall": {"name": n, "args": a}} for n, a in CALLS]
        parts[1]["thoughtSignature"] = "c2ln"
    return {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}]}

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = (chat if self.path.endswith("/chat/completions") else messages if self.path.endswith("/messages") else gemini)(body)
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
