#!/bin/sh
# A walk through what the documents about OpenClaw's tools describe, in their order, with toolctl.
#
#   examples/seed-walk.sh            with the toolctl on PATH
#   TOOLCTL=target/debug/toolctl examples/seed-walk.sh
#
# Everything happens in a directory of its own, which is removed at the end.
set -eu

tool=$(command -v "${TOOLCTL:-toolctl}") || { echo "toolctl is not on PATH; set TOOLCTL" >&2; exit 2; }
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/work" "$place/home"
cd "$place/work"
HOME=$place/home; XDG_CONFIG_HOME=$place/home/config; TOOLCTL_STATE_DIR=$place/state
export HOME XDG_CONFIG_HOME TOOLCTL_STATE_DIR
unset TOOLCTL_CONFIG || true

part() { printf '\n== %s\n' "$1"; }
say() { printf '%s\n' "-- $1"; }
# Runs toolctl and shows the command, what it prints and how it ends.
show() {
    printf '$ toolctl'
    for word in "$@"; do
        case $word in *[!A-Za-z0-9_./:=-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    status=0
    "$tool" "$@" </dev/null 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then printf '(exit %s)\n' "$status"; fi
}

part "1. The catalog: tools, profiles, groups"
show list -o name
say "a profile names its tools"
show list -o name --owner --set tools.profile=coding --provider openai
show list -o name --owner --set tools.profile=messaging
show list -o name --owner --set tools.profile=minimal
say "aliases, groups and globs"
show list -o name --owner --set 'tools.allow=[bash, "group:web", "memory_*"]'

part "2. Tools for the owner alone"
show explain cron -o json
show list -o name --owner --set 'tools.allow=[cron, gateway, read]'
show list -o name --set 'tools.allow=[cron, gateway, read]'

part "3. The policy pipeline: each step narrows what the one before left"
cat > policy.yaml <<'YAML'
tools:
  profile: coding
  alsoAllow: [web_search]
  deny: [sessions_send]
  byProvider: {anthropic: {deny: [image]}}
agents: {list: [{id: main}, {id: research, tools: {allow: [read, web_search, exec, image]}}]}
channels: {telegram: {groups: {"-100": {tools: {deny: [exec]}}}}}
YAML
show list -c policy.yaml --agent research --provider anthropic --channel telegram --group -100 -o name
show explain exec -c policy.yaml --agent research --provider anthropic --channel telegram --group -100
say "deny wins, an empty allow list restricts nothing, write speaks for apply_patch"
show list -o name --provider openai --set 'tools.allow=[write]'
say "a list of plugin tools alone leaves no core tool, and says so; strip drops such a list"
cat > plugin.yaml <<'YAML'
plugins:
  team:
    tools:
      - {name: team_ping, label: Ping, description: Says pong, parameters: {type: object}, command: [echo, pong]}
      - {name: team_extra, description: Only where a list names it, optional: true, parameters: {type: object}, command: [echo, extra]}
channels: {chat: {groups: {g: {tools: {allow: [team_ping]}}}}}
YAML
show list -c plugin.yaml -o name --channel chat --group g
show list -c plugin.yaml -o name --channel chat --group g --set tools.pluginOnlyAllowlist=strip --set tools.profile=minimal

part "4. Sub-agents and sandboxes have less"
show list -o name --owner --set tools.profile=coding --session agent:main:subagent:s1
show list -o name --owner --sandbox --set tools.profile=full

part "5. apply_patch is for OpenAI's models, and for those that are added"
show list -o name --provider openai --model gpt-5.2 --set 'tools.allow=[apply_patch]'
show list -o name --provider anthropic --model claude-opus-4-5 --set 'tools.allow=[apply_patch]'
show list -o name --provider anthropic --model claude-opus-4-5 --set 'tools.allow=[apply_patch]' --set 'tools.exec.applyPatch.allowModels=[claude-opus-4-5]'

part "6. Schemas that each provider accepts"
cat > union.json <<'JSON'
[{"name": "item", "description": "Changes an item", "parameters": {"anyOf": [
  {"properties": {"action": {"const": "add"}, "count": {"type": "integer", "minimum": 1}}, "required": ["action"]},
  {"properties": {"action": {"const": "remove"}, "id": {"type": "string"}}, "required": ["action", "id"]}]}}]
JSON
show schema --from union.json
show schema --from union.json --provider gemini
show schema --from union.json --report --provider openai -o text
show schema --provider anthropic --tool read

part "7. Calls: argument names of Claude Code, other spellings, mistakes"
printf 'hello\nworld\n' > a.txt
show exec '{"tool":"Read","args":{"file_path":"a.txt"}}'
show exec '{"tool":"edit","args":{"file_path":"a.txt","old_string":"world","new_string":"there"}}'
show check '{"tool":"web_search","args":{"query":42,"count":"3.7"}}' -o json
show exec '{"tool":"write","args":{"path":"a.txt","content":"x","append":true}}'
show exec '{"tool":"read","args":{"path":"../outside"}}'

part "8. Actions that are switched off"
show check '{"tool":"message","args":{"action":"delete","messageId":"1"}}' --set 'bindings.message.command=[cat]' --set tools.actions.message.delete=false

part "9. Hooks: before a call and after it"
cat > guard.sh <<'SH'
#!/bin/sh
case $(cat) in
    *secret*) echo '{"block": true, "blockReason": "secrets stay where they are"}' ;;
    *) echo '{"params": {"limit": 1}}' ;;
esac
SH
chmod +x guard.sh
cat > hooks.yaml <<'YAML'
hooks:
  beforeToolCall: [{match: "read", command: [./guard.sh]}]
  afterToolCall: [{command: [sh, -c, 'cat >> seen.jsonl']}]
YAML
show exec '{"tool":"read","args":{"path":"secret.txt"}}' -c hooks.yaml
show exec '{"tool":"read","args":{"path":"a.txt"}}' -c hooks.yaml
say "the after-hook was told of both"
i=0
while [ "$(grep -c afterToolCall seen.jsonl 2>/dev/null || true)" != 2 ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
grep -c afterToolCall seen.jsonl

part "10. Loops"
cat > loops.yaml <<'YAML'
tools: {loopDetection: {enabled: true, warningThreshold: 2, criticalThreshold: 3, globalCircuitBreakerThreshold: 4}}
YAML
call='{"tool":"read","args":{"path":"a.txt"}}'
printf '[%s,%s,%s,%s,%s]' "$call" "$call" "$call" "$call" "$call" > repeat.json
show exec @repeat.json -c loops.yaml -v
show exec "$call" -c loops.yaml

part "11. Commands: security, ask, allowlist, safe bins"
show check '{"tool":"exec","args":{"command":"git status"}}'
show check '{"tool":"exec","args":{"command":"git status"}}' --set 'tools.exec.allowlist=[git]'
show check '{"tool":"exec","args":{"command":"git status"}}' --set tools.exec.security=deny
show check '{"tool":"exec","args":{"command":"printf x | head -n 1"}}'
show check '{"tool":"exec","args":{"command":"git status","host":"node"}}' --set 'tools.exec.allowlist=[git]' --set tools.exec.host=gateway
show check '{"tool":"exec","args":{"command":"ls","env":{"LD_PRELOAD":"x.so"}}}' --set 'tools.exec.allowlist=[ls]'

part "12. Elevated commands"
cat > elevated.yaml <<'YAML'
tools: {elevated: {enabled: true, allowFrom: {telegram: ["42"]}, defaultLevel: full}}
YAML
show check '{"tool":"exec","args":{"command":"id","elevated":true}}' -c elevated.yaml --channel telegram --sender 42
show check '{"tool":"exec","args":{"command":"id","elevated":true}}' -c elevated.yaml --channel telegram --sender 43
show check '{"tool":"exec","args":{"command":"id","elevated":true}}' -c elevated.yaml --channel telegram --sender 42 --set tools.elevated.defaultLevel=ask

part "13. Scripts are looked through before they run"
printf 'import os\nprint($HOME_DIR)\n' > bleed.py
printf 'import os  # uses $HOME_DIR\nprint("fine")\n' > fine.py
show check '{"tool":"exec","args":{"command":"python3 bleed.py"}}' --set tools.exec.security=full
show check '{"tool":"exec","args":{"command":"python3 fine.py"}}' --set tools.exec.security=full

part "14. Approvals: asked, decided once, used once"
show exec '{"tool":"exec","args":{"command":"echo approved"}}' --on-ask pending --set tools.exec.ask=always
id=$("$tool" approvals list -o name | head -n 1)
show approvals allow "$id"
show exec --approval "$id" --set tools.exec.ask=always
show exec --approval "$id" --set tools.exec.ask=always

part "15. Results: limits, secrets, form"
i=0; : > long.txt
while [ $i -lt 400 ]; do echo "line $i of a long file" >> long.txt; i=$((i + 1)); done
show exec '{"tool":"read","args":{"path":"long.txt"}}' -o json --set tools.results.maxChars=200
show exec '{"tool":"read","args":{"path":"long.txt"}}' -o json --context-remaining 200
printf 'token: ghp_0123456789abcdefghijABCDEFGHIJ456789\n' > token.txt
show exec '{"tool":"read","args":{"path":"token.txt"}}'
printf '# a comment\n' > s.py
show exec '{"tool":"exec","args":{"command":"cat s.py"}}' --channel signal --set tools.exec.security=full --set tools.exec.ask=off
show exec '{"tool":"team_ping","args":{}}' -c plugin.yaml --events

part "16. The transcript of a session, and the log of what was decided"
show exec '{"tool":"read","args":{"path":"a.txt"},"id":"call_1"}' --session agent:main:main
sed 's/"timestamp":"[^"]*"/"timestamp":"…"/' "$TOOLCTL_STATE_DIR"/agents/main/sessions/*.jsonl
show audit verify

printf '\nthe walk is done\n'
