//! What toolctl knows of the core tools before any configuration is read. Decides nothing about who may use them.

pub mod declaration;
