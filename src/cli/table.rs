//! Tables that fit the terminal: the last column gives way.

/// Rows of cells under a heading.
#[derive(Debug, Default)]
pub(super) struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|h| (*h).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let clean = |cell: String| cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.rows.push(cells.into_iter().map(clean).collect());
    }

    /// The table as text; `width` in columns, none = as wide as it gets.
    pub(super) fn render(&self, width: Option<usize>, color: bool) -> String {
        let columns = self.heading.len();
        let mut widths: Vec<usize> = self.heading.iter().map(|h| h.chars().count()).collect();
        for row in &self.rows {
            for (cell, max) in row.iter().zip(&mut widths) {
                *max = (*max).max(cell.chars().count());
            }
        }
        if let Some(width) = width {
            let gaps = 2 * columns.saturating_sub(1);
            let fixed: usize = widths.iter().take(columns.saturating_sub(1)).sum();
            if let Some(last) = widths.last_mut() {
                *last = (*last).min(width.saturating_sub(fixed + gaps).max(8));
            }
        }
        let mut text = String::new();
        let mut line = |cells: &[String], style: Option<&str>| {
            let mut parts = Vec::with_capacity(columns);
            for (index, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let mut shown: String = cell.chars().take(*width).collect();
                if shown.len() < cell.len() && *width > 1 {
                    shown = cell.chars().take(width - 1).collect::<String>() + "…";
                }
                let pad = if index + 1 < columns {
                    width - shown.chars().count()
                } else {
                    0
                };
                parts.push(format!("{shown}{}", " ".repeat(pad)));
            }
            let joined = parts.join("  ");
            match style {
                Some(style) if color => text.push_str(&format!("\x1b[{style}m{}\x1b[0m\n", joined.trim_end())),
                _ => text.push_str(&format!("{}\n", joined.trim_end())),
            }
        };
        line(&self.heading, Some("1"));
        for row in &self.rows {
            line(row, None);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_gives_way() {
        let mut table = Table::new(&["NAME", "DESCRIPTION"]);
        table.row(["read".to_owned(), "a long description\nof it".to_owned()]);
        assert_eq!(
            table.render(None, false),
            "NAME  DESCRIPTION\nread  a long description of it\n"
        );
        assert_eq!(
            table.render(Some(16), false),
            "NAME  DESCRIPTIO\nread  a long de…\n".replace("DESCRIPTIO\n", "DESCRIPTI…\n")
        );
    }
}
