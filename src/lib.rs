//! toolctl: the tool firewall and tool runner for AI agents.
//!
//! Data walks one way: layers → [`config`] → [`model::Context`] → [`policy`] → [`model::Call`] → [`gate`] → [`engine`] →
//! [`model::Outcome`]. Text becomes located values, values become a decision that carries its own limits, and only
//! a decision can be run. Nothing below [`cli`] prints.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a test that meets the unexpected should stop there"
    )
)]

pub mod approval;
pub mod background;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod confine;
pub mod diag;
pub mod engine;
pub mod environment;
pub mod floor;
pub mod fnv;
pub mod fsio;
pub mod gate;
pub mod hook;
pub mod host;
pub mod json;
pub mod launch;
pub mod looping;
pub mod machine;
pub mod model;
pub mod names;
pub mod params;
pub mod path;
pub mod policy;
pub mod process;
pub mod program;
pub mod provider;
pub mod result;
pub mod schema;
pub mod shell;
pub mod state;
pub mod text;
pub mod tool;
pub mod vcs;
pub mod wire;
pub mod world;
