//! One argument of a command, as far as it is known before the command runs.

/// A range of the command text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Whether it has a byte in common with another.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// Why a part of a word is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// A file name pattern: expands to existing names.
    Glob,
    /// What `find` found at or below the path before it, and what the names fit that it looked for, where that is known.
    Found(Option<String>),
    /// The value of a variable; behind its name stands `…` where an operator makes another text of it.
    Variable(String),
    /// The output of a command substitution: of the commands in the text's shell with this number, where that is known.
    Substitution(Option<usize>),
    /// The name of a pipe: a process substitution.
    Pipe,
    /// One of these texts, exactly.
    OneOf(Vec<String>),
    /// Digits, perhaps with a sign: the value of an arithmetic expansion or of `$?`, `$#`, `$$`.
    Number,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// This text, exactly (quotes removed).
    Fixed(String),
    /// Some text.
    Unknown(Unknown),
}

/// What a word becomes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Exactly this one argument.
    Exact(String),
    /// Known in part.
    Dynamic {
        /// The parts in order; at least one is unknown.
        pieces: Vec<Piece>,
        /// Whether it may become no argument or several (unquoted expansion, glob).
        many: bool,
    },
}

/// One argument with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Arg {
    /// What it becomes.
    pub shape: Shape,
    /// Where it stands in the command text.
    pub span: Span,
}

impl Arg {
    /// An argument that is exactly `text`.
    pub fn exact(text: impl Into<String>) -> Self {
        Self {
            shape: Shape::Exact(text.into()),
            span: Span::default(),
        }
    }

    /// The text, where it is known exactly.
    pub fn literal(&self) -> Option<&str> {
        match &self.shape {
            Shape::Exact(text) => Some(text),
            Shape::Dynamic { .. } => None,
        }
    }

    /// As text for a person; what is not known is shown as `…`.
    pub fn shown(&self) -> String {
        match &self.shape {
            Shape::Exact(text) => text.clone(),
            Shape::Dynamic { pieces, .. } => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Fixed(text) => text.as_str(),
                    Piece::Unknown(_) => "…",
                })
                .collect(),
        }
    }

    /// The text that the argument begins with for certain (of the first argument, where it may become several).
    pub fn prefix(&self) -> &str {
        match &self.shape {
            Shape::Exact(text) => text,
            Shape::Dynamic { pieces, .. } => match pieces.first() {
                Some(Piece::Fixed(text)) => text,
                _ => "",
            },
        }
    }

    /// Whether it may become no argument or several.
    pub fn is_many(&self) -> bool {
        matches!(self.shape, Shape::Dynamic { many: true, .. })
    }

    /// Whether it begins with a known text that is repeated in each argument that it becomes, and else is names of files: a
    /// pattern that does not begin with one.
    pub fn is_steady(&self) -> bool {
        let Shape::Dynamic { pieces, .. } = &self.shape else {
            return true;
        };
        let begins = matches!(pieces.first(), Some(Piece::Fixed(text)) if !text.is_empty());
        begins
            && pieces.iter().all(|piece| {
                matches!(
                    piece,
                    Piece::Fixed(_) | Piece::Unknown(Unknown::Glob | Unknown::Found(_) | Unknown::Number)
                )
            })
    }

    /// Whether the argument may become an option (`-…`) when it is expanded.
    pub fn may_be_option(&self) -> bool {
        match &self.shape {
            Shape::Exact(text) => text.starts_with('-'),
            Shape::Dynamic { pieces, many } => {
                let head = match pieces.first() {
                    Some(Piece::Fixed(text)) => text.is_empty() || text.starts_with('-'),
                    Some(Piece::Unknown(Unknown::OneOf(texts))) => {
                        texts.iter().any(|text| text.is_empty() || text.starts_with('-'))
                    }
                    Some(Piece::Unknown(_)) | None => true,
                };
                // A word that splits may yield an option in a later field, unless all that is unknown are file names below a fixed head.
                head || (*many
                    && pieces
                        .iter()
                        .any(|p| matches!(p, Piece::Unknown(Unknown::Variable(_) | Unknown::Substitution(_)))))
            }
        }
    }
}

/// Arguments as a text for a person; what is not known is shown as `…`.
pub fn shown(argv: &[Arg]) -> String {
    let words: Vec<String> = argv.iter().map(Arg::shown).collect();
    let list: Vec<&str> = words.iter().map(String::as_str).collect();
    quoted(&list)
}

/// Arguments, each quoted where it needs to be, joined by one blank: what patterns over arguments are held against, and what
/// people read. It is not run: `text::quote` is for that, and quotes more (`{`, `!`, letters beyond ASCII). This form
/// stays as it is, because stored patterns were written for it: under another one, or under either of two, they would cover
/// arguments that nobody granted.
pub fn quoted(words: &[&str]) -> String {
    let list: Vec<_> = words.iter().map(|w| shell_words::quote(w)).collect();
    list.join(" ")
}
