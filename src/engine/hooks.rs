//! Where hooks stand in the way of a call.

use super::Engine;
use crate::gate::{Admitted, Decision, Ruling, Weight, admit_action};
use crate::hook::{self, HookCall, Supervisor, Surroundings};
use crate::model::{Call, Code, Outcome, Stage};
use crate::policy::matches_any;
use serde_json::{Map, Value};
use std::ffi::OsString;

/// The hidden argument by which toolctl watches after-hooks in a process of its own.
pub const AFTER_HOOKS: &str = "__after-hooks";

/// Whether `|`-separated policy patterns hit a tool.
type Hits<'h> = dyn Fn(&str, &str) -> bool + 'h;

/// Whether before-hooks are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hooks {
    /// They are run.
    Ask,
    /// They are only named.
    Skip,
}

/// What hooks had to say to a call that they let through.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// What the model or a person should know.
    pub(super) notes: Vec<String>,
    /// Why a person should decide, if one should.
    wish: Option<String>,
}

impl Heard {
    /// Turns a permission into a question, where a hook wants one.
    pub(super) fn apply(self, verdict: &mut Ruling) {
        verdict.warnings.splice(0..0, self.notes);
        let Some(wish) = self.wish else { return };
        verdict.unanswered = Weight::Deny;
        let decision = std::mem::replace(&mut verdict.decision, Decision::Deny);
        verdict.decision = match decision {
            Decision::Allow(plan) => Decision::Ask(Some(plan)),
            Decision::Ask(plan) => Decision::Ask(plan),
            Decision::Deny => return,
        };
        verdict.code = Code::HookApproval;
        verdict.reason = wish;
    }
}

impl Engine<'_> {
    /// Stage `hooks`: asks the before-hooks; what they rewrite is brought into the tool's form and gated again.
    pub(super) fn ask_hooks<'t>(
        &self,
        call: &Call,
        mut admitted: Admitted<'t>,
        hooks: Hooks,
    ) -> Result<(Admitted<'t>, Heard), Box<Ruling>> {
        let configured = &self.config.base.hooks.before;
        let hits = |patterns: &str, tool: &str| matches_any(patterns, tool, self.universe);
        let meant = hook::matching(configured, &admitted.tool.key, &hits).count();
        if meant == 0 || hooks == Hooks::Skip {
            let why = match meant {
                0 => "no hook is meant for this tool".to_owned(),
                n => format!("{n} before-hooks were not asked (`--hooks` asks them)"),
            };
            admitted.trace.push(Stage::Hooks, Weight::Skip, why);
            return Ok((admitted, Heard::default()));
        }
        let transcript = self.transcript_path();
        let told = HookCall {
            tool: &admitted.tool.key,
            id: &call.id,
            args: admitted.args.clone(),
            context: self.context,
            transcript: transcript.as_deref(),
        };
        let own_names = |args: &mut Map<String, Value>| crate::params::own_names(args, admitted.rules());
        let before = hook::before(configured, told, self.hook_surroundings(&hits, &own_names));
        if let Some(blocked) = before.blocked {
            let reason = format!("{} ({})", blocked.reason, blocked.origin);
            admitted.trace.push(Stage::Hooks, Weight::Deny, reason.clone());
            let mut verdict = Ruling::deny(blocked.code, reason, admitted.trace, before.args);
            verdict.warnings = before.notes;
            return Err(Box::new(verdict));
        }
        let wish = before.wish.map(|w| format!("{} ({})", w.reason, w.origin));
        let (weight, detail) = match &wish {
            Some(wish) => (Weight::Ask, wish.clone()),
            None if before.rewritten => (
                Weight::Pass,
                format!("{} before-hooks; the arguments were rewritten", before.ran),
            ),
            None => (
                Weight::Pass,
                format!("{} before-hooks had nothing against it", before.ran),
            ),
        };
        admitted.trace.push(Stage::Hooks, weight, detail);
        if before.rewritten {
            admitted = admit_action(self.effective, admitted.with_args(before.args))?;
        }
        Ok((
            admitted,
            Heard {
                notes: before.notes,
                wish,
            },
        ))
    }

    /// Tells the after-hooks; nothing of it can change or delay the answer.
    pub(super) fn tell_hooks(&self, call: &Call, args: &Map<String, Value>, outcome: &Outcome) {
        let configured = &self.config.base.hooks.after;
        let hits = |patterns: &str, tool: &str| matches_any(patterns, tool, self.universe);
        let Some(own) = self.caller.own.as_deref().filter(|_| !configured.is_empty()) else {
            return;
        };
        let transcript = self.transcript_path();
        let told = HookCall {
            tool: &call.tool,
            id: &call.id,
            args: args.clone(),
            context: self.context,
            transcript: transcript.as_deref(),
        };
        let hidden = [OsString::from(AFTER_HOOKS)];
        let supervisor = Supervisor {
            program: own,
            args: &hidden,
        };
        // What goes wrong here has no one to be told: the answer is already made.
        let _ = self.after.borrow_mut().start(
            configured,
            &told,
            outcome,
            self.hook_surroundings(&hits, &|_| {}),
            supervisor,
        );
    }

    fn hook_surroundings<'s>(
        &'s self,
        hits: &'s Hits<'s>,
        own_names: &'s dyn Fn(&mut Map<String, Value>),
    ) -> Surroundings<'s> {
        Surroundings {
            launch: self.launching(),
            interrupts: self.interrupts,
            hits,
            own_names,
        }
    }
}
