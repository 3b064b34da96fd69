# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_toolctl_global_optspecs
    string join \n c/config= isolated set= strict state-dir= o/output= color= v/verbose q/quiet h/help V/version
end

function __fish_toolctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_toolctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_toolctl_using_subcommand
    set -l cmd (__fish_toolctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c toolctl -n "__fish_toolctl_needs_command" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_needs_command" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_needs_command" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_needs_command" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_needs_command" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_needs_command" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_needs_command" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_needs_command" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_needs_command" -s V -l version -d 'Print version'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "list" -d 'Arguments of `list`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "schema" -d 'Arguments of `schema`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "explain" -d 'Arguments of `explain`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "exec" -d 'Arguments of `exec`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "check" -d 'Arguments of `check`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "config" -d 'Arguments of `config`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "approvals" -d 'Arguments of `approvals`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "audit" -d 'Arguments of `audit`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "sandbox" -d 'Arguments of `sandbox`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "completions" -d 'Arguments of `completions`'
complete -c toolctl -n "__fish_toolctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l removed -d 'Also show what was taken away, and by which step'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l callable -d 'Leave out what nothing here can run'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l from -d 'Read declarations in any provider\'s form, or one bare JSON Schema, instead of the own tools (- for standard input)' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l format -d 'Declaration form to print; default: the provider\'s own (raw: name, description, parameters)' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l tool -d 'Only this tool; may be given several times' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l on-error -d 'What becomes of the others when one tool cannot be declared' -r -f -a "fail\t'Nothing is printed'
drop\t'It is left out with a warning'"
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l all -d 'Declare also what nothing here can run'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l as-is -d 'Leave schemas as they are, whatever providers refuse of them'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l gemini-json-schema -d 'Use `parametersJsonSchema` instead of `parameters` for Gemini'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l rename -d 'Give tools whose names the provider refuses legal ones, and print the mapping'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l no-hints -d 'Do not say in descriptions what the provider cannot express'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l report -d 'Print what was dropped, merged, renamed or moved into descriptions, instead of the declarations'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -l strict -d 'Declarations for the strict mode of OpenAI, Anthropic or DeepSeek, where a tool can be expressed in it'
complete -c toolctl -n "__fish_toolctl_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l result-format -d 'The form of the answer: native, openai, openai-responses, anthropic, gemini, bedrock, mcp or same' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l on-ask -d 'What happens when a person must decide; default: prompt on a terminal, else pending' -r -f -a "prompt\t'Ask on the terminal'
wait\t'Wait for an answer from elsewhere'
pending\t'Leave it pending (exit 4)'
fallback\t'Apply `askFallback`'"
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l approval -d 'Run what was asked as ID, once it is allowed' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l jsonl -d 'A stream of calls, one JSON document per line'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l propagate-exit -d 'End with the command\'s own exit status instead of 1'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand exec" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l jsonl -d 'A stream of calls, one JSON document per line'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l hooks -d 'Run the before-hooks too'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "show" -d 'Arguments of `config show`'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "validate" -d 'Arguments of `config validate`'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "schema" -d 'Arguments of `config schema`'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "sources" -d 'Show which files were looked at, and how each took part'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "trust" -d 'Arguments of `config trust`'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "untrust" -d 'Arguments of `config untrust`'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and not __fish_seen_subcommand_from show validate schema sources trust untrust help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l origin -d 'Say where each value comes from'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l all -d 'Also show every key that has neither a value nor a default'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -l show-secrets -d 'Also show values of `env` and `headers`, and what `${VAR}` put into commands'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -l reference -d 'Print the reference of every key as a Markdown page instead'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from sources" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -l yes -d 'Do not ask'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from trust" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from untrust" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show what holds when all layers are merged, and what only restricts'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "validate" -d 'Check every layer, and what the lists in it name'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "schema" -d 'Print the JSON Schema of the configuration, for editors'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "sources" -d 'Show which files were looked at, and how each took part'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "trust" -d 'Show what a project\'s files would widen, and let them'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "untrust" -d 'Take trust back: the project\'s files can only restrict again'
complete -c toolctl -n "__fish_toolctl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "list" -d 'Arguments of `approvals list`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "show" -d 'Arguments of `approvals show`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "allow" -d 'Arguments of `approvals allow`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "deny" -d 'Arguments of `approvals deny`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "wait" -d 'Arguments of `approvals wait`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "watch" -d 'Decide on one screen: what waits, in full, with keys'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "grants" -d 'Arguments of `approvals grants`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "import" -d 'Arguments of `approvals import`'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and not __fish_seen_subcommand_from list show allow deny wait watch grants import help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -l all -d 'Those decided a moment ago too'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l for -d 'Only for so long: 90s, 30m, 2h, 7d' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l times -d 'Only so many times' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l always -d 'The like of it from now on too'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -l session -d 'Only in the session that asked'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from allow" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l reason -d 'Why, for the agent' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from deny" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l timeout -d 'How long, in seconds; default: until it is decided or expires' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from wait" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -f -a "list" -d 'Show what was allowed for longer (the default)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -f -a "remove" -d 'Take grants back'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from grants" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "list" -d 'Show the requests that wait, oldest first'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show all that a person needs to decide one'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "allow" -d 'Let a call run'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "deny" -d 'Say no to a call'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "wait" -d 'Wait until a request is decided: 0 allowed, 3 denied or expired, 4 still pending'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "watch" -d 'Decide on one screen: what waits, in full, with keys'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "grants" -d 'Show and take back what was allowed for longer'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "import" -d 'Take the grants of OpenClaw\'s exec-approvals.json'
complete -c toolctl -n "__fish_toolctl_using_subcommand approvals; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -f -a "tail" -d 'Show the newest records'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -f -a "show" -d 'Show the records of a number, call, run or hash'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -f -a "verify" -d 'Check the chain of hashes: edited, missing, moved and cut-off records are found (exit 1)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and not __fish_seen_subcommand_from tail show verify help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s n -l lines -d 'How many' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from tail" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "tail" -d 'Show the newest records'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show the records of a number, call, run or hash'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Check the chain of hashes: edited, missing, moved and cut-off records are found (exit 1)'
complete -c toolctl -n "__fish_toolctl_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -f -a "probe" -d 'Options that say who calls, from where'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -f -a "seen" -d 'Options that say who calls, from where'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and not __fish_seen_subcommand_from probe seen help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from probe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l agent -d 'The agent; else the one in the session key, else main' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l provider -d 'The model\'s provider' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l model -d 'The model' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l session -d 'The session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l spawned-by -d 'The parent session\'s key' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l subagent-depth -d 'How deep the sub-agent stands; 0 = not one' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l channel -d 'The channel of the message' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l account -d 'The account on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l group -d 'The group on the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l group-channel -d 'The group\'s channel name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l sender -d 'The sender\'s id' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l sender-name -d 'The sender\'s display name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l sender-username -d 'The sender\'s user name' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l sender-e164 -d 'The sender\'s phone number' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l message-provider -d 'Where the message came in; default: the channel' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l workspace -d 'The workspace directory' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l owner -d 'The sender is the owner'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l sandbox -d 'The session is sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -l no-sandbox -d 'The session is not sandboxed, whatever the configuration says'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from seen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "probe" -d 'Show what this machine can contain, and what not'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "seen" -d 'Say that you have seen what a contained command left behind, so that commands run unasked again'
complete -c toolctl -n "__fish_toolctl_using_subcommand sandbox; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -s c -l config -d 'A configuration file; may be given several times, the last wins' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -l set -d 'Set one configuration value: a dotted key and a YAML value' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -l state-dir -d 'Where toolctl keeps its state' -r -F
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -s o -l output -d 'Output format: text, table, json, jsonl, yaml or name, by command' -r
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -l isolated -d 'Ignore system, user and project configuration and TOOLCTL_CONFIG'
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -l strict -d 'Take warnings about the configuration for errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -s v -l verbose -d 'Say more (-v info, -vv debug)'
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -s q -l quiet -d 'Say nothing but errors'
complete -c toolctl -n "__fish_toolctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "list" -d 'Show the tools that are effective for a context'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "schema" -d 'Print tool declarations that a provider\'s API accepts'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "explain" -d 'Say why a tool is in or out, step by step'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "exec" -d 'Run tool calls through the whole pipeline'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "check" -d 'Decide tool calls without running them'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "config" -d 'Show, check and trust the configuration'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "approvals" -d 'Decide what waits for a person, and take back what was granted'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "audit" -d 'Read the audit log, and check that nobody has changed it'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "sandbox" -d 'Show what this machine can contain, and what was found behind contained commands'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c toolctl -n "__fish_toolctl_using_subcommand help; and not __fish_seen_subcommand_from list schema explain exec check config approvals audit sandbox completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
