//! A person decides: what is asked, by whom it was answered, and that each answer is used for exactly that, once.
//!
//! [`Approvals`] keeps requests as files of the state directory, so any process of the user can ask, wait and answer.
//! [`Binding`] ties a request to what was judged: what is different when it is to run was not approved. [`Grants`] are
//! answers for longer. [`page`] makes of a request what a person can trust to see, and [`running_call`] tells whether
//! somebody who wants to answer is a command started by toolctl. Nothing here decides whether a call needs a person, and
//! nothing here prints.

mod binding;
mod clock;
mod grant;
mod implicit_code;
mod import;
mod lifecycle;
mod person;
mod request;
mod show;
mod wait;

pub use binding::{Binding, grows, is_pattern, named_files};
pub use clock::time;
pub use grant::{Grant, GrantScope, Grants};
pub use implicit_code::{bind_code_at, bind_code_below, bind_programs_in, bind_start_up, interpreter_of};
pub use import::import;
pub use lifecycle::{ApprovalFault, Approvals, Found};
pub use person::running_call;
pub use request::{Answer, Entry, KeptPattern, Request, Resolution, State, new_id};
pub use show::{one_line, page, rows};
pub use wait::Waiting;
