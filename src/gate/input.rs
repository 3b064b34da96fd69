//! What is sent to a running program is judged like any other code: a shell or an interpreter does what it is told.

use super::exec;
use super::finding::Kind;
use super::judge::{Case, Seen};
use crate::background::{SENDING, cut_middle, only_signals, typed};
use crate::model::{Code, Input, Judged, Security, Stage, Tool, fold_word};
use serde_json::{Map, Value};

/// The arguments with an action that there is: of another the tool itself says that it knows none. None where the action
/// is no word at all.
pub(super) fn known_action(args: &Map<String, Value>, tool: &Tool) -> Option<Map<String, Value>> {
    if tool.judged != Judged::Input {
        return None;
    }
    args.get("action")?.as_str()?;
    let mut known = args.clone();
    known.insert("action".to_owned(), Value::from("list"));
    Some(known)
}

/// Stage `host` of the tool that follows commands in the background: may it send what it would send?
pub(super) fn judge(case: &mut Case<'_>) -> Seen {
    let sends = match &case.tool {
        Some((tool, _)) if tool.judged == Judged::Input => action(&case.args),
        _ => None,
    };
    let Some(sent) = sends.and_then(|action| typed(action, &case.args, false)) else {
        return Seen::Nothing;
    };
    let id = case.args.get("sessionId").and_then(Value::as_str).unwrap_or_default();
    let taker = match case.world.in_background(id) {
        // The tool itself says that there is none.
        Ok(None) => return Seen::Nothing,
        Ok(Some(taker)) => taker,
        Err(why) => return case.forbid(Stage::Host, Code::StateUnavailable, why),
    };
    let bounds = exec::bounded(case);
    if bounds.security == Security::Deny {
        let reason = "nothing is sent to running programs: security=deny";
        return case.forbid(Stage::Host, Code::SecurityDeny, reason);
    }
    let harmless = taker.input == Input::Data || only_signals(&sent.text);
    if bounds.security == Security::Full || harmless {
        return Seen::Nothing;
    }
    let reason = format!(
        "what is sent to `{}` may be commands or code there, and nothing grants it; a person decides, or `security: full`. \
         Keys like C-c and C-d pass",
        shown(&taker.command)
    );
    case.find(Stage::Host, Kind::Doubt, Code::InlineEval, reason);
    Seen::Nothing
}

fn action(args: &Map<String, Value>) -> Option<&'static str> {
    let wanted = fold_word(args.get("action")?.as_str()?);
    SENDING.into_iter().find(|known| fold_word(known) == wanted)
}

/// The beginning of a command, on one line.
fn shown(command: &str) -> String {
    let clean: String = command.chars().filter(|c| !c.is_control()).collect();
    cut_middle(&clean, 80)
}
