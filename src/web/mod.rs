//! One page of the web: its address judged, the addresses of its host judged, every redirect judged again, and what came
//! back read as text. Nothing is sent but the request line and fixed headers; nothing of this machine is reached unless the
//! configuration says so.
//!
//! | step | file |
//! |---|---|
//! | a URL as it is written → scheme, host, port, path, or a refusal | `target` |
//! | which hosts may be asked at all | `rules` |
//! | which addresses are public | `address` |
//! | ask, follow, measure | `fetch` |
//! | bytes → text | `page`, `html` |
//! | what is sent to a server of the configuration | `remote` |

mod address;
mod fetch;
mod html;
mod page;
mod remote;
mod rules;
mod target;

pub use address::refused as refused_address;
pub use fetch::{Fetch, Fetched, WebFault, fetch};
pub use remote::{Remote, Response};
pub use rules::{HostPattern, HostRules, Standing};
pub use target::Target;
