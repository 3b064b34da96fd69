//! What systems of version control obey: settings of git's repositories, what stands in a working copy of another, and
//! names of commits.

pub(super) mod repository;
pub(super) mod revision;
mod settings;
pub(super) mod working_copy;

pub use repository::{Named, named_by_settings, settings_that_run};
