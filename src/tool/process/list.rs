//! `list`: every command, the newest first.

use super::{Process, TAIL, label, signal, word};
use crate::background::{CommandState, StoredCommand, derived_name, last_chars};
use crate::tool::{ToolError, ToolResult};
use serde_json::{Value, json};

pub(super) fn list(on: &Process<'_>) -> Result<ToolResult, ToolError> {
    let all = match &on.commands {
        Some(commands) => commands.all()?,
        None => Vec::new(),
    };
    let mut lines = Vec::new();
    let (mut running, mut ended) = (Vec::new(), Vec::new());
    for kept in &all {
        let standing = kept.standing()?;
        let until = match &standing {
            CommandState::Running => on.now_ms,
            CommandState::Ended(end) => end.ended_at_ms,
        };
        let took = until.saturating_sub(kept.record.started_at_ms);
        let duration = compact(took);
        let line = format!(
            "{} {:<9} {duration} :: {}",
            kept.record.id,
            word(&standing),
            label(&kept.record)
        );
        lines.push((kept.record.started_at_ms, line));
        let details = details(kept, &standing, took)?;
        match standing {
            CommandState::Running => running.push(details),
            CommandState::Ended(_) => ended.push(details),
        }
    }
    lines.sort_by_key(|(started, _)| std::cmp::Reverse(*started));
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    let text = if lines.is_empty() {
        "No running or recent sessions.".to_owned()
    } else {
        lines.join("\n")
    };
    running.append(&mut ended);
    Ok(ToolResult::text(text)
        .detail("status", "completed")
        .detail("sessions", running))
}

fn details(kept: &StoredCommand, standing: &CommandState, took: u64) -> Result<Value, ToolError> {
    let record = &kept.record;
    let log = kept.log()?;
    let part = log.since(0, most_bytes(record.max_chars))?;
    let truncated = part.cut || last_chars(&part.text, record.max_chars).1;
    let mut details = json!({
        "sessionId": record.id,
        "status": word(standing),
        "startedAt": record.started_at_ms,
        "runtimeMs": took,
        "cwd": record.cwd,
        "command": record.command,
        "tail": last_chars(&part.text, TAIL).0,
        "truncated": truncated,
        "log": kept.path(),
    });
    let mut put = |key: &str, value: Value| {
        if let Value::Object(map) = &mut details {
            map.insert(key.to_owned(), value);
        }
    };
    if let Some(name) = derived_name(&record.command) {
        put("name", json!(name));
    }
    match standing {
        CommandState::Running => put("pid", json!(record.pid)),
        CommandState::Ended(end) => {
            put("endedAt", json!(end.ended_at_ms));
            if let Some(code) = end.exit_code() {
                put("exitCode", json!(code));
            }
            if let Some(signal) = signal(record, end) {
                put("exitSignal", json!(signal));
            }
            if !end.notes.is_empty() {
                put("notes", json!(end.notes));
            }
        }
    }
    Ok(details)
}

/// Bytes that hold so many characters.
pub(super) fn most_bytes(chars: usize) -> u64 {
    u64::try_from(chars)
        .unwrap_or(u64::MAX)
        .saturating_mul(4)
        .saturating_add(4)
}

/// A duration in its two largest units.
fn compact(millis: u64) -> String {
    if millis == 0 {
        return "n/a".to_owned();
    }
    if millis < 1000 {
        return format!("{millis}ms");
    }
    let seconds = (millis + 500) / 1000;
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3600 % 24, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
    ];
    let first = parts.iter().position(|(count, _)| *count > 0).unwrap_or(3);
    let two = parts.iter().skip(first).take(2).filter(|(count, _)| *count > 0);
    let words: Vec<String> = two.map(|(count, unit)| format!("{count}{unit}")).collect();
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        for (millis, text) in [
            (0, "n/a"),
            (1, "1ms"),
            (850, "850ms"),
            (1499, "1s"),
            (45_000, "45s"),
            (120_000, "2m"),
            (125_000, "2m5s"),
            (5_400_000, "1h30m"),
            (3_600_000, "1h"),
            (93_600_000, "1d2h"),
        ] {
            assert_eq!(compact(millis), text);
        }
    }
}
