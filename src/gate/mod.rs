//! May this call run, and exactly how? Pure: it answers, and cannot run, remember or ask.
//!
//! A [`Plan`] can be made in this room alone, so that nothing unjudged can be run. Stages are judged in the order of
//! [`crate::model::Stage`]; the code of a verdict is that of the first stage that did not pass. What cannot be judged
//! is refused: an error inside a stage is a denial.

mod admit;
mod command;
mod decision;
mod declared;
mod document;
pub mod exec;
mod finding;
mod plan;
mod planner;
mod tool;

pub use admit::{Admitted, admit, admit_action};
pub use command::{CommandFacts, judge_command};
pub use decision::{Decision, Ruling, Trace, TraceRow, Weight};
pub use declared::{Declarations, Declared};
pub use document::{ExecDocument, PatternDocument, PlanDocument, SegmentDocument};
pub use finding::{Bounds, Finding, Kind};
pub use plan::{
    CommandPlan, DirectRedirect, DirectStage, DirectStart, DirectStep, DirectTarget, ExecPlan, ExecRun, FileTool,
    PinnedProgram, Plan, PlanKind, When,
};
pub use tool::{Prepare, ToolFacts, judge_tool};
