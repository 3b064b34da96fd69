//! Rows of a table by the names in them.

use std::sync::OnceLock;

/// The rows of a table, sorted by name when the first of them is wanted. A name belongs to the first row that has it.
#[derive(Debug)]
pub(super) struct ByName<R: 'static> {
    rows: OnceLock<Vec<(&'static str, &'static R)>>,
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
            let mut rows: Vec<_> = all().collect();
            rows.sort_by_key(|(name, _)| *name);
            rows.dedup_by_key(|(name, _)| *name);
            rows
        });
        let at = rows.binary_search_by_key(&name, |(known, _)| known).ok()?;
        rows.get(at).map(|(_, row)| *row)
    }
}
