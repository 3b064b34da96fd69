//! Starts processes, and ends them: pipelines, bounded capture, time limits, whole process trees. The only room that does.
//!
//! Decides nothing: what it is given has been judged.

mod aside;
mod capture;
mod interrupt;
mod job;
mod pump;
mod running;
mod tree;

pub use aside::{Aside, leave_session, start_aside};
pub use capture::{Captured, HeadTail};
pub use interrupt::Interrupts;
pub use job::{Begin, Capture, Input, Job, Privileges, Program, Stage, StageIo};
pub use pump::{End, Ended, Limits, Progress, Sink, Stream, drive, run, signal_name};
pub use running::Running;
