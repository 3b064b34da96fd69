//! What a straight-line list runs, in order.

use super::stub::{self, Call};
use toolctl::shell::tree::{Command, Join, Mode, Pipeline};
use toolctl::shell::{Analysis, RedirectKind, SimpleCommand};

/// The calls of a plain text, pipeline by pipeline; none where its course depends on more than the stubs.
pub(crate) fn expected(analysis: &Analysis) -> Option<Vec<Vec<Vec<String>>>> {
    if !analysis.plain || !analysis.commands.iter().all(simple_enough) {
        return None;
    }
    let mut ran = Vec::new();
    for item in &analysis.script.body.items {
        let mut well = pipeline(analysis, &item.chain.first, &mut ran)?;
        for (join, next) in &item.chain.rest {
            if well == (*join == Join::And) {
                well = pipeline(analysis, next, &mut ran)?;
            }
        }
    }
    (ran.iter().map(Vec::len).sum::<usize>() < stub::STEADY).then_some(ran)
}

fn simple_enough(command: &SimpleCommand) -> bool {
    let name = command.name().unwrap_or_default();
    let redirects = command.redirects.iter().all(|redirect| match &redirect.kind {
        RedirectKind::File { mode, target } => {
            matches!(mode, Mode::Write | Mode::Append | Mode::Clobber)
                && target
                    .literal()
                    .is_some_and(|t| !t.is_empty() && t.bytes().all(|b| b.is_ascii_lowercase()))
        }
        RedirectKind::Here { .. } => true,
        RedirectKind::Duplicate(fd) => *fd <= 2,
        RedirectKind::Both { .. } | RedirectKind::Close => false,
    });
    redirects && (stub::name_of(name) == Some(name) || matches!(name, "true" | "false"))
}

fn pipeline(analysis: &Analysis, pipeline: &Pipeline, ran: &mut Vec<Vec<Vec<String>>>) -> Option<bool> {
    let mut calls = Vec::new();
    let mut well = true;
    for stage in &pipeline.stages {
        let Command::Simple(simple) = &stage.command else {
            return None;
        };
        let argv: Vec<String> = analysis
            .command(simple.id)?
            .exact_argv()?
            .into_iter()
            .map(str::to_owned)
            .collect();
        match argv.first()?.as_str() {
            "true" => well = true,
            "false" => well = false,
            _ => {
                well = stub::succeeds(&argv);
                calls.push(argv);
            }
        }
    }
    ran.push(calls);
    Some(well != pipeline.negated)
}

/// Whether a log shows these calls; within a pipeline the order is open.
pub(crate) fn agrees(expected: &[Vec<Vec<String>>], log: &[Call]) -> bool {
    let log: Vec<&Vec<String>> = log.iter().map(|call| &call.argv).collect();
    let mut rest = log.as_slice();
    for group in expected {
        let Some((now, later)) = rest.split_at_checked(group.len()) else {
            return false;
        };
        let (mut now, mut group) = (now.to_vec(), group.iter().collect::<Vec<_>>());
        now.sort();
        group.sort();
        if now != group {
            return false;
        }
        rest = later;
    }
    rest.is_empty()
}
