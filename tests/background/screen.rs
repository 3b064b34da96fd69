//! What stands on a screen after a program has drawn on it.

/// A terminal of this size, as far as the screens of toolctl need one: rows of text.
pub(crate) struct Screen {
    cells: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    /// What is on it after this was written; a sequence that has not come to its end is still to come.
    pub(crate) fn of(shown: &str, columns: usize, rows: usize) -> Self {
        let mut screen = Self {
            cells: vec![vec![' '; columns]; rows],
            row: 0,
            column: 0,
        };
        let mut chars = shown.chars();
        while let Some(c) = chars.next() {
            match c {
                '\u{1b}' => {
                    if screen.obey(&mut chars).is_none() {
                        break;
                    }
                }
                '\r' => screen.column = 0,
                '\n' => screen.feed(),
                c if c.is_control() => panic!("{c:?} was written: {shown:?}"),
                c => screen.put(c),
            }
        }
        screen
    }

    /// Its rows, without the blanks at their ends.
    pub(crate) fn text(&self) -> String {
        let rows = self.cells.iter().map(|row| row.iter().collect::<String>());
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    fn put(&mut self, c: char) {
        if self.column == self.cells[0].len() {
            self.column = 0;
            self.feed();
        }
        self.cells[self.row][self.column] = c;
        self.column += 1;
    }

    fn feed(&mut self) {
        if self.row + 1 == self.cells.len() {
            self.cells.remove(0);
            self.cells.push(vec![' '; self.cells[0].len()]);
        } else {
            self.row += 1;
        }
    }

    fn obey(&mut self, chars: &mut std::str::Chars<'_>) -> Option<()> {
        assert_eq!(chars.next()?, '[', "a sequence of another kind");
        let mut parameters = String::new();
        let end = loop {
            match chars.next()? {
                c if c.is_ascii_alphabetic() => break c,
                c => parameters.push(c),
            }
        };
        let mut numbers = parameters
            .split(';')
            .map(|n| n.parse::<usize>().unwrap_or(1).max(1) - 1);
        match end {
            'H' => {
                self.row = numbers.next().unwrap_or(0).min(self.cells.len() - 1);
                self.column = numbers.next().unwrap_or(0).min(self.cells[0].len() - 1);
            }
            'K' => self.cells[self.row][self.column..].fill(' '),
            'J' => self.cells.iter_mut().for_each(|row| row.fill(' ')),
            // Colours, modes of the terminal.
            'm' | 'h' | 'l' => {}
            other => panic!("CSI {parameters} {other} is not one that toolctl writes"),
        }
        Some(())
    }
}
