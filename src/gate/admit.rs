//! Stages `call` and `policy`: is it a call of a tool that exists, and may this context use it?

use super::decision::{Ruling, Trace, Weight};
use super::declared::{Declarations, Declared};
use crate::catalog::Universe;
use crate::config::Effective;
use crate::model::{Call, Code, Stage, Tool};
use crate::params::{Rules, normalise, refused_action};
use crate::policy::{ToolSet, nearest_names};
use serde_json::{Map, Value};

/// A call that the policy lets through, its arguments in the tool's own form.
#[derive(Debug, Clone)]
pub struct Admitted<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// What its arguments are held against.
    pub declared: Declared,
    /// The normalised arguments.
    pub args: Map<String, Value>,
    /// What the stages said.
    pub trace: Trace,
}

impl Admitted<'_> {
    /// What the arguments are held against.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            tool: &self.tool.key,
            schema: &self.declared.schema,
            owner: self.declared.owner,
        }
    }

    /// The same call with other arguments, as a hook gave them.
    #[must_use]
    pub fn with_args(mut self, args: Map<String, Value>) -> Self {
        self.args = normalise(args, self.rules());
        self
    }
}

/// Lets a call through, or refuses it.
///
/// # Errors
/// The refusal: `not-supported`, `unknown-tool`, `tool-not-allowed`, `owner-only` or `action-disabled`.
pub fn admit<'a>(
    effective: &Effective<'_>,
    (universe, set): (&Universe, &'a ToolSet),
    declarations: &Declarations,
    call: &Call,
) -> Result<Admitted<'a>, Box<Ruling>> {
    let mut trace = Trace::default();
    // A sandbox that applies is not passed over either: whatever would have to run in it is refused by its host.
    let kept_otherwise = |key: &str| key.ends_with("sandbox.mode");
    if let Some(key) = effective
        .config
        .unsupported
        .iter()
        .find(|key| !kept_otherwise(&key.value))
    {
        let reason = format!(
            "the configuration sets `{}` ({}), which this version cannot enforce; nothing runs until the key is removed",
            key.value, key.origin
        );
        trace.push(Stage::Call, Weight::Deny, reason.clone());
        return Err(Box::new(Ruling::deny(
            Code::NotSupported,
            reason,
            trace,
            call.args.clone(),
        )));
    }
    let Some(tool) = set.find(&call.tool) else {
        return Err(Box::new(refuse(universe, set, call, trace)));
    };
    trace.push(Stage::Call, Weight::Pass, format!("a call of `{}`", tool.name));
    trace.push(
        Stage::Policy,
        Weight::Pass,
        format!("agent `{}` may use it", effective.context.agent),
    );
    let admitted = Admitted {
        tool,
        declared: declarations.of(effective.config, tool),
        args: Map::new(),
        trace,
    };
    admit_action(effective, admitted.with_args(call.args.clone()))
}

/// Refuses an action that is switched off; asked again when a hook has changed the arguments.
///
/// # Errors
/// The refusal: `action-disabled`.
pub fn admit_action<'a>(effective: &Effective<'_>, admitted: Admitted<'a>) -> Result<Admitted<'a>, Box<Ruling>> {
    match refused_action(effective, admitted.tool, &admitted.args) {
        None => Ok(admitted),
        Some(gate) => {
            let mut trace = admitted.trace;
            let reason = format!("{gate}; set it to true, or use another action");
            trace.push(Stage::Policy, Weight::Deny, reason.clone());
            Err(Box::new(Ruling::deny(
                Code::ActionDisabled,
                reason,
                trace,
                admitted.args,
            )))
        }
    }
}

fn refuse(universe: &Universe, set: &ToolSet, call: &Call, mut trace: Trace) -> Ruling {
    let removed = set.removed.iter().find(|r| *r.tool.key == call.tool);
    let Some(removed) = removed else {
        let near = nearest_names(&call.tool, universe);
        let hint = match near.first() {
            Some(near) => format!("; did you mean `{near}`?"),
            None => "; `toolctl list` shows the tools there are".to_owned(),
        };
        // The words "unknown tool" are what loop detection looks for.
        let reason = format!("unknown tool: {}{hint}", shown(&call.tool));
        trace.push(Stage::Call, Weight::Deny, reason.clone());
        return Ruling::deny(Code::UnknownTool, reason, trace, call.args.clone());
    };
    trace.push(Stage::Call, Weight::Pass, format!("a call of `{}`", removed.tool.name));
    let place = removed.origin.as_ref().map(|o| format!(" ({o})")).unwrap_or_default();
    let (code, reason) = if &*removed.by == "owner-only" {
        let reason = format!(
            "`{}` is for the owner alone; the owner's calls carry `--owner`",
            removed.tool.name
        );
        (Code::OwnerOnly, reason)
    } else {
        let why = match (&removed.entry, &removed.why) {
            (Some(entry), _) => format!("{} removes it by `{entry}`{place}", removed.by),
            (None, Some(why)) => format!("{why}{place}"),
            (None, None) => format!("{} does not name it{place}", removed.by),
        };
        let reason = format!(
            "`{}` is not allowed here: {why}; `toolctl explain {}` shows every step",
            removed.tool.name, removed.tool.name
        );
        (Code::ToolNotAllowed, reason)
    };
    trace.push(Stage::Policy, Weight::Deny, reason.clone());
    Ruling::deny(code, reason, trace, call.args.clone())
}

/// A name as it can be shown: no control characters, not endless.
fn shown(name: &str) -> String {
    let clean: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    if clean.is_empty() {
        "(no name)".to_owned()
    } else {
        clean
    }
}
