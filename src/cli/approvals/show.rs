//! `toolctl approvals list` and `show`.

use super::super::output::{Format, Output};
use super::super::table::Table;
use super::super::{Failure, Run};
use super::{Named, Reviewer, fault, now_ms};
use crate::approval::{Entry, one_line, page};
use clap::Args;
use serde_json::{Map, Value, json};

/// List pending requests, oldest first
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Include recently decided requests
    #[arg(long)]
    all: bool,
}

/// Show the details of a request
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The ID of a request, or a unique prefix of it
    #[arg(allow_hyphen_values = true)]
    id: String,
}

pub(super) fn list(args: &ListArgs, reviewer: &Reviewer, out: &mut Output) -> Run {
    let format = out.format(&[Format::Table, Format::Json, Format::Jsonl, Format::Name])?;
    let now = now_ms();
    let entries = if args.all {
        reviewer.approvals.all(now)
    } else {
        reviewer.approvals.pending(now)
    }
    .map_err(fault)?;
    match format {
        Format::Json => {
            let rows: Vec<Value> = entries.iter().map(Entry::document).collect();
            out.json(&json!({"schemaVersion": 1, "approvals": rows}))?;
        }
        Format::Jsonl => entries.iter().try_for_each(|e| out.json_line(&framed(e)))?,
        Format::Name => entries.iter().try_for_each(|e| out.line(&e.request.id))?,
        _ => {
            if entries.is_empty() {
                out.line("no pending requests")?;
                return Ok(0);
            }
            let mut table = Table::new(&["ID", "STATE", "LEFT", "AGENT", "TOOL", "ASKS", "RUNS"]);
            for entry in &entries {
                table.row(row(entry, now));
            }
            out.text(&table.render(out.width, out.color))?;
        }
    }
    Ok(0)
}

/// One request as a row.
fn row(entry: &Entry, now: u64) -> [String; 7] {
    let request = &entry.request;
    let left = match entry.resolution {
        None => format!("{} s", request.expires_at_ms.saturating_sub(now) / 1000),
        Some(_) => String::new(),
    };
    [
        request.id.get(..12).unwrap_or(&request.id).to_owned(),
        entry.state().as_str().to_owned(),
        left,
        one_line(&request.agent),
        one_line(&request.tool),
        one_line(&request.code),
        one_line(&request.command),
    ]
}

pub(super) fn show(args: &ShowArgs, reviewer: &Reviewer, out: &mut Output) -> Run {
    let format = out.format(&[Format::Text, Format::Json])?;
    let entry = match reviewer.named(&args.id, out)? {
        Ok(Named::Pending(entry) | Named::Decided(entry)) => entry,
        Err(code) => return Ok(code),
    };
    report(&entry, format, out)?;
    Ok(0)
}

/// Writes one request: for a person the whole page, for a program its document.
pub(super) fn report(entry: &Entry, format: Format, out: &mut Output) -> Result<(), Failure> {
    match format {
        Format::Json => out.json(&framed(entry)),
        _ => out.text(&page(entry, out.width.unwrap_or(100))),
    }
}

pub(super) fn framed(entry: &Entry) -> Value {
    let mut whole = Map::from_iter([("schemaVersion".to_owned(), json!(1))]);
    if let Value::Object(document) = entry.document() {
        whole.extend(document);
    }
    Value::Object(whole)
}
