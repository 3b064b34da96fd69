//! The only conductor: gate → run → result. Runs plans and nothing else.

mod answer;
mod ask;
mod background;
mod beside;
mod bind;
mod command;
mod exec;
mod facts;
mod failed_hook;
mod file;
mod grants;
mod hooks;
mod list;
mod live;
mod masked;
mod notify;
mod record;
mod sandbox;
mod way;

pub use answer::{Answered, Asker, Nobody, Reply};
pub use ask::{Person, Route, Show};
pub use beside::Questions;
pub use facts::{Caller, Engine};
pub use failed_hook::watch_after_hooks;
pub use hooks::{AFTER_HOOKS, Hooks};
pub use live::Live;
pub use sandbox::containable;
