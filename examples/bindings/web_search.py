#!/usr/bin/env python3
"""Runs the tool `web_search` by a SearXNG server of your own.

    bindings:
      web_search: {command: [/etc/toolctl/web_search.py, "http://127.0.0.1:8888"]}
"""
import json
import sys
import urllib.parse
import urllib.request

args = json.load(sys.stdin)["args"]
query = {"q": args["query"], "format": "json", "language": args.get("language", "all")}
if args.get("freshness"):
    query["time_range"] = args["freshness"]
with urllib.request.urlopen(f"{sys.argv[1]}/search?{urllib.parse.urlencode(query)}", timeout=30) as answer:
    found = json.loads(answer.read(4 << 20))["results"][: args.get("count", 5)]
lines = [f"{n}. {hit['title']}\n{hit['url']}\n{hit.get('content', '')}" for n, hit in enumerate(found, 1)]
results = [{"title": hit["title"], "url": hit["url"]} for hit in found]
print(json.dumps({
    "content": "\n\n".join(lines) or "Nothing was found.",
    "details": {"results": results, "untrusted": True},
}))
