//! The languages: programs that run what they are given.

mod common;
mod further;

use super::Row;

/// The tables of languages.
pub(super) static TABLES: [&[Row]; 2] = [common::ROWS, further::ROWS];
