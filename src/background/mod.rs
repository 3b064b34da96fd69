//! Commands that go on in the background: where they are kept, who may see them, and how they are reached.
//!
//! Each is a directory of its owner (an agent and its session key), with a process of its own that runs the command
//! and answers on a socket ([`Supervisor`]). What it wrote stands in a bounded log beside it, so that it can be read
//! whether that process lives or not. A process is told by a lock that it holds, never by its number: one that is gone
//! without having written how the command ended has lost it.
//!
//! | what | file |
//! |---|---|
//! | the directories of an owner | `command_store` |
//! | what is written down of one | `record` |
//! | its output | `log` |
//! | requests and answers | `wire` |
//! | the process that runs it | `supervise` |
//! | who asks that process | `server` |
//! | what is sent to it | `keys` |
//! | names | `name` |
//! | what is left where that process was killed | `lost` |

mod command_store;
mod keys;
mod log;
mod lost;
mod name;
mod record;
mod server;
mod supervise;
mod wire;

pub use command_store::{CommandState, CommandStore, NewCommand, StoredCommand};
pub use keys::{SENDING, Sending, Typed, only_signals, typed};
pub use log::last_chars;
pub use name::{cut_middle, derived_name};
pub use record::{BackgroundEnd, BackgroundRecord, How, Owner, Poll};
pub use supervise::{Served, Supervisor};
pub use wire::{Connection, Look, WireFault};
