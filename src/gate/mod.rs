//! May this call run, and exactly how? Pure: it answers, and cannot run, remember or ask.
//!
//! [`judge()`] sends a call through the table of stages in `judge.rs`. A stage gives findings; the table in `finding.rs`
//! says what each kind of finding comes to, and the strictest decides. What the gate wants to know of the world it asks
//! [`Surroundings`]. A [`Plan`] can be made in this room alone, so that nothing unjudged can be run, and a question holds
//! none. What cannot be judged is refused: an error inside a stage is a prohibition.
//!
//! A new stage is one row of the table and one function; a new tool is one row of the catalog.

mod case;
mod command;
mod configured;
mod containment;
mod decision;
mod declared;
mod document;
pub mod exec;
mod finding;
mod in_sandbox;
mod judge;
mod plan;
mod planner;
mod refusal_text;
mod stages;
mod surroundings;
mod time;
mod walls;

pub use case::Policy;
pub use configured::{CommandPlan, McpPlan};
pub use containment::{no_sandbox, of_sandbox as sandbox_containment};
pub use decision::{Answer, Decision, Question, Refusal, Ruling, TraceRow};
pub use declared::Declarations;
pub use document::{ExecDocument, PlanDocument, SegmentDocument};
pub use in_sandbox::plan_in_sandbox;
pub use judge::judge;
pub use plan::{
    DeliveryPlan, DirectStage, DirectStart, DirectStep, DirectTarget, ExecPlan, ExecRun, PinnedProgram, Plan, PlanKind,
    ProcessPlan, SpawnPlan, When,
};
pub use surroundings::{
    BackgroundProgram, Containable, Draft, HookReport, IdleShell, Repetition, Surroundings, Unreached,
};
pub use walls::{Containment, GitAccess, Need, SandboxChoice};
