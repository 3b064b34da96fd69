//! Rows of a table by the names in them.

use crate::fnv::BuildFnv;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The rows of a table by name, made when the first of them is wanted. A name belongs to the first row that has it.
#[derive(Debug)]
pub(super) struct ByName<R: 'static> {
    rows: OnceLock<HashMap<&'static str, &'static R, BuildFnv>>,
}

impl<R> ByName<R> {
    pub(super) const fn new() -> Self {
        Self { rows: OnceLock::new() }
    }

    /// The row with this name. `all` gives every name with its row.
    pub(super) fn find<I>(&self, name: &str, all: impl FnOnce() -> I) -> Option<&'static R>
    where
        I: Iterator<Item = (&'static str, &'static R)>,
    {
        let rows = self.rows.get_or_init(|| {
            let mut rows = HashMap::with_capacity_and_hasher(512, BuildFnv::default());
            for (name, row) in all() {
                rows.entry(name).or_insert(row);
            }
            rows
        });
        rows.get(name).copied()
    }
}
