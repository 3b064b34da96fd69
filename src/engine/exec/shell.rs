//! Runs a text by the shell that was modelled.

use super::output::Aggregate;
use super::{Start, Stopped, pin};
use crate::gate::PinnedProgram;
use crate::model::Code;
use crate::process::{End, Input, Job, Stage, StageIo, run as run_job};

pub(super) fn run(
    start: &Start<'_>,
    shell: &PinnedProgram,
    flags: &[String],
    text: &str,
    sink: &mut Aggregate<'_, '_>,
) -> Result<End, Stopped> {
    let stage = Stage {
        program: pin::open(shell)?,
        arg0: shell.path.clone().into_os_string(),
        args: flags.iter().map(Into::into).chain([text.into()]).collect(),
        env: start.plan.env.iter().map(|(k, v)| (k.into(), v.into())).collect(),
        stdin: StageIo::Null,
        stdout: StageIo::Pipeline,
        stderr: StageIo::Pipeline,
    };
    let job = Job {
        stages: vec![stage],
        cwd: start.cwd.path(),
        input: Input::Null,
        privileges: start.privileges,
    };
    let ended = run_job(job, &start.limits, start.engine.interrupts, sink)
        .map_err(|e| Stopped::new(Code::ToolFailed, format!("the shell could not be started: {e}")))?;
    Ok(ended.end)
}
