//! Runs a text by the shell that was modelled.

use super::output::Aggregate;
use super::{Start, Stopped, pin};
use crate::gate::PinnedProgram;
use crate::process::{Begin, End, Stage, StageIo};

/// A text and the shell that reads it.
pub(super) struct Read<'a> {
    pub(super) shell: &'a PinnedProgram,
    pub(super) name: &'a str,
    pub(super) flags: &'a [String],
    pub(super) text: &'a str,
}

pub(super) fn run(start: &Start<'_>, read: &Read<'_>, sink: &mut Aggregate<'_, '_>) -> Result<End, Stopped> {
    let stage = Stage {
        program: Begin::Program(pin::open(read.shell)?.program),
        arg0: read.name.into(),
        args: read.flags.iter().map(Into::into).chain([read.text.into()]).collect(),
        env: start.env.iter().map(|(k, v)| (k.into(), v.into())).collect(),
        stdin: StageIo::Null,
        stdout: StageIo::Output,
        stderr: StageIo::Errors,
    };
    start
        .run(vec![stage], sink)
        .map_err(|e| Stopped::tool(format!("the shell could not be started: {e}")))
}
