//! Tools that run, load or write something when they are told to.

mod build;
mod data;
mod remote;
mod various;

use super::Row;

/// The tables of tools.
pub(super) static TABLES: [&[Row]; 4] = [build::ROWS, data::ROWS, remote::ROWS, various::ROWS];
