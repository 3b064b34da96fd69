//! Calls that run while their callers go on: each in a life of its own, heard when it has something to say.

use super::parallel::{QUESTION, SHOWN, Sent, Touches, lost};
use super::{Engine, Questions};
use crate::approval::Entry;
use crate::model::{Call, Outcome};
use crate::process::{Fork, Interrupts, Word, bug_of};
use std::io;
use std::os::fd::BorrowedFd;

/// A call that runs.
#[derive(Debug)]
pub struct Served {
    call: Call,
    touches: Touches,
    apart: Fork,
}

/// What comes from a call that runs.
#[derive(Debug)]
pub enum Heard {
    /// Its command wrote something.
    Shown(String),
    /// A person must decide; it waits for that.
    Asks(Box<Entry>),
    /// It has ended.
    Ended(Box<Outcome>),
    /// Nothing that counts.
    Nothing,
}

impl Served {
    /// Becomes readable when it has something to say.
    pub fn says(&self) -> BorrowedFd<'_> {
        self.apart.says()
    }

    /// Ends it, and what it has started.
    pub fn cancel(&mut self) {
        self.apart.interrupt();
    }

    /// Waits for the end of one that was cancelled, whatever else it says.
    pub fn await_end(mut self, interrupts: &Interrupts) {
        while let Ok(Word::Output(_)) = self.apart.next(interrupts) {}
    }
}

impl Engine<'_> {
    /// Whether a call can begin beside those that run.
    pub fn fits_beside<'s>(&self, call: &Call, running: impl IntoIterator<Item = &'s Served>) -> bool {
        let touches = self.touches(call);
        running.into_iter().all(|one| touches.goes_with(&one.touches))
    }

    /// Begins a call. `live`: whether what its command writes is wanted as it comes; `first` is what its life does before
    /// anything else.
    ///
    /// # Errors
    /// The system refuses a process; nothing ran.
    pub fn serve(&self, call: Call, questions: Questions<'_>, live: bool, first: &dyn Fn()) -> io::Result<Served> {
        let touches = self.touches(&call);
        self.keep_server(&call, first);
        let apart = Fork::begin(|caller, left| {
            first();
            self.live_beside(&call, (caller, left), (questions, live));
        })?;
        Ok(Served { call, touches, apart })
    }

    /// What a call has to say; to be asked when its descriptor is readable.
    pub fn hear(&self, one: &mut Served) -> Heard {
        let sent = match one.apart.next(self.interrupts) {
            Ok(Word::Output(said)) => {
                return match said.split_first() {
                    Some((&SHOWN, output)) => Heard::Shown(String::from_utf8_lossy(output).into_owned()),
                    Some((&QUESTION, id)) => self.asked(&String::from_utf8_lossy(id)),
                    _ => Heard::Nothing,
                };
            }
            Ok(Word::Answer(answer) | Word::Stays(answer)) => serde_json::from_slice::<Sent>(&answer).ok(),
            Ok(Word::Failed) => bug_of("the process that ran a call"),
            Ok(Word::Killed) | Err(_) => None,
        };
        self.forget();
        let (outcome, notes) = sent
            .and_then(|sent| sent.outcome(&one.call))
            .unwrap_or_else(|| (lost(&one.call), Vec::new()));
        for note in notes {
            self.note(note);
        }
        Heard::Ended(Box::new(outcome))
    }

    fn asked(&self, id: &str) -> Heard {
        let entry = self
            .approvals()
            .ok()
            .and_then(|all| all.snapshot(id, self.now_ms()).ok());
        match entry.flatten() {
            Some(entry) => Heard::Asks(Box::new(entry)),
            None => Heard::Nothing,
        }
    }
}
