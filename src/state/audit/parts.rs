//! Parts of an audit log that were set aside when it had grown to its limit: files in a directory beside it, each under the
//! number of its last record.

use super::super::fault::StateFault;
use super::super::lines::Locked;
use super::super::store::Store;
use std::ops::ControlFlow;

/// Digits of a number in the name of a part, so that names are in the order of the numbers.
const DIGITS: usize = 20;

/// The parts of a log, oldest first.
#[derive(Debug)]
pub(super) struct Parts {
    dir: Store,
    names: Vec<String>,
}

/// The name of the directory beside a log.
fn directory(name: &str) -> String {
    format!("{name}.parts")
}

/// Sets a log aside whose last record has this number.
pub(super) fn set_aside(log: Locked<'_>, dir: &Store, name: &str, last: u64) -> Result<(), StateFault> {
    log.hand_over(&dir.child(&directory(name))?, &format!("{last:0DIGITS$}"))
}

impl Parts {
    /// Those of the log of a directory; `None` where there are none.
    pub(super) fn of(dir: &Store, name: &str) -> Result<Option<Self>, StateFault> {
        let Some(dir) = dir.existing_child(&directory(name))? else {
            return Ok(None);
        };
        let fault = |error: std::io::Error| StateFault::new(dir.path(), format!("cannot be listed: {error}"));
        let mut names = Vec::new();
        for entry in crate::uninterrupted::read_dir(dir.path()).map_err(fault)? {
            let entry = entry.map_err(fault)?.file_name().into_string();
            names.extend(
                entry
                    .ok()
                    .filter(|n| n.len() == DIGITS && n.bytes().all(|b| b.is_ascii_digit())),
            );
        }
        names.sort_unstable();
        Ok((!names.is_empty()).then_some(Self { dir, names }))
    }

    /// The same where the directory may be missing.
    pub(super) fn beside(dir: Option<&Store>, name: &str) -> Result<Option<Self>, StateFault> {
        dir.map_or(Ok(None), |dir| Self::of(dir, name))
    }

    /// Hands every line to `each`, in order.
    pub(super) fn each(&self, each: &mut impl FnMut(&[u8])) -> Result<(), StateFault> {
        for name in &self.names {
            if let Some(lines) = self.dir.read_only(name)? {
                lines.each(lines.size()?, |line| {
                    each(line);
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(())
    }

    /// The last `count` lines, oldest first.
    pub(super) fn tail(&self, count: usize) -> Result<Vec<Vec<u8>>, StateFault> {
        let mut found: Vec<Vec<u8>> = Vec::new();
        for name in self.names.iter().rev() {
            if found.len() >= count {
                break;
            }
            if let Some(mut lines) = self.dir.read_only(name)? {
                let mut before = lines.lock()?.tail(count - found.len())?;
                before.append(&mut found);
                found = before;
            }
        }
        Ok(found)
    }

    /// The last line.
    pub(super) fn last(&self) -> Result<Option<Vec<u8>>, StateFault> {
        Ok(self.tail(1)?.pop())
    }
}
