//! Starts processes, and ends them: pipelines, bounded capture, time limits, whole process trees. The only room that does.
//!
//! Decides nothing: what it is given has been judged.

mod apart;
mod aside;
mod capture;
mod cgroup;
mod child;
mod contained;
mod ending;
mod interrupt;
mod job;
mod pager;
mod pump;
mod running;
mod terminal;
mod tree;
mod wake;
mod watchman;

pub use crate::confine::BUG;
pub use apart::{Apart, Caller, Word, bug_of, copies_begun, ended, first_to_say};
pub use aside::{Aside, Voice, leave_session, start_aside};
pub use capture::{Captured, HeadTail};
pub use contained::Contained;
pub use ending::{OnForcedEnd, force_end, on_forced_end};
pub use interrupt::Interrupts;
pub use job::{Begin, Capture, Input, Job, Privileges, Program, Stage, StageIo};
pub use pager::page;
pub use pump::{End, Ended, Limits, Progress, Sink, Stop, Stream, drive, follow, run, signal_name};
pub use running::Running;
pub use terminal::{CursorKeys, Terminal};
#[cfg(test)]
pub(crate) use tree::noted;
pub use tree::{Left, end_orphans, is_runner, reap_orphans, take_name_of_staying};
pub use watchman::{WATCHMAN, watch, watched_by};
