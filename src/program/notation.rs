//! Reads and checks the notation of rows at compile time: a fault in a row is an error of the build that shows the line.
#![expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index or a fault in a row is an error of the build"
)]

use super::vocabulary::{Judge, Trait, Use, Wrap};

/// A name's hash, where its row begins and ends, and the traits of the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) hash: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) traits: u64,
}

/// The place of a trait in a set of them.
pub(super) const fn bit(word: Trait) -> u64 {
    1 << word as u32
}

/// The hash by which rows are found.
pub(super) const fn hash(name: &[u8]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Checks every row of a text and counts the names of programs and sets in it. `wrapping`: whether they are rows of wrappers
/// and shells.
pub(super) const fn names(text: &str, wrapping: bool) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    let mut inside = false;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let start = skip_blanks(bytes, at, end);
        if start < end {
            match bytes[start] {
                b'=' if start == at => {
                    let mut word = skip_blanks(bytes, start + 1, end);
                    fault(word < end, text, at, end);
                    while word < end {
                        count += 1;
                        word = skip_blanks(bytes, word_end(bytes, word, end), end);
                    }
                    inside = true;
                }
                b'~' => check_about(text, start + 1, end, wrapping),
                b'-' => check_options(text, start + 1, end, wrapping),
                b'.' => check_operands(text, start + 1, end, wrapping),
                b':' | b'&' => check_files(text, start + 1, end),
                b'>' => {
                    let mut names = start;
                    while names < end && bytes[names] == b'>' {
                        names += 1;
                    }
                    fault(skip_blanks(bytes, names, end) < end, text, at, end);
                }
                b'#' => {}
                _ => fault(false, text, at, end),
            }
            fault(inside || bytes[start] == b'#', text, at, end);
        }
        at = end + 1;
    }
    count
}

/// The names of a text's programs and sets, in the order of their hashes.
pub(super) const fn index<const N: usize>(text: &str) -> [Entry; N] {
    let bytes = text.as_bytes();
    let mut list = [Entry {
        hash: 0,
        start: 0,
        end: 0,
        traits: 0,
    }; N];
    let mut count = 0;
    let mut at = 0;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        if at < end && bytes[at] == b'=' {
            let last = row_end(bytes, end);
            #[expect(clippy::cast_possible_truncation, reason = "a text of rows is shorter than 4 GiB")]
            let mut entry = Entry {
                hash: 0,
                start: at as u32,
                end: last as u32,
                traits: traits(text, end, last),
            };
            let mut word = skip_blanks(bytes, at + 1, end);
            while word < end {
                let stop = word_end(bytes, word, end);
                entry.hash = hash(part(text, word, stop).as_bytes());
                // Into its place among those before it.
                let mut place = count;
                while place > 0 && list[place - 1].hash > entry.hash {
                    list[place] = list[place - 1];
                    place -= 1;
                }
                list[place] = entry;
                count += 1;
                word = skip_blanks(bytes, stop, end);
            }
        }
        at = end + 1;
    }
    list
}

/// For each value of the first ten bits of a hash, which of several indexes have a name of such a hash: a bit each.
pub(super) type Holders = [u64; 1024];

/// The place of a hash among the holders.
const fn place_of(hash: u32) -> usize {
    (hash >> 22) as usize
}

/// Notes that an index, the one of this number, has its names.
pub(super) const fn note(mut holders: Holders, number: usize, index: &[Entry]) -> Holders {
    assert!(number < 64, "more indexes than bits");
    let mut at = 0;
    while at < index.len() {
        holders[place_of(index[at].hash)] |= 1 << number;
        at += 1;
    }
    holders
}

/// Which indexes may have a name of this hash: a bit each.
pub(super) const fn holders_of(holders: &Holders, hash: u32) -> u64 {
    holders[place_of(hash)]
}

/// Where the row ends whose heading ends at `from`: before the next heading.
const fn row_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() && !(bytes[at] == b'\n' && at + 1 < bytes.len() && bytes[at + 1] == b'=') {
        at += 1;
    }
    at
}

/// The traits of a row, without those of its subcommands.
const fn traits(text: &str, from: usize, end: usize) -> u64 {
    let bytes = text.as_bytes();
    let mut found = 0;
    let mut at = from + 1;
    while at < end {
        let stop = line_end(bytes, at);
        let start = skip_blanks(bytes, at, stop);
        if start < stop && bytes[start] == b'>' {
            break;
        }
        if start < stop && bytes[start] == b'~' {
            let mut word = skip_blanks(bytes, start + 1, stop);
            while word < stop {
                let last = word_end(bytes, word, stop);
                if let Some(known) = Trait::of(part(text, word, last).as_bytes()) {
                    found |= bit(known);
                }
                word = skip_blanks(bytes, last, stop);
            }
        }
        at = stop + 1;
    }
    found
}

const fn check_about(text: &str, from: usize, end: usize, wrapping: bool) {
    let bytes = text.as_bytes();
    let mut word = skip_blanks(bytes, from, end);
    while word < end {
        let stop = word_end(bytes, word, end);
        let name = part(text, word, stop).as_bytes();
        let known = Trait::of(name).is_some() || Use::of(name).is_some() || wrapping && Wrap::of(name).is_some();
        fault(known, text, word, stop);
        word = skip_blanks(bytes, stop, end);
    }
}

/// Names of files or options, which are no paths.
const fn check_files(text: &str, from: usize, end: usize) {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < end {
        fault(bytes[at] != b'/', text, from, end);
        at += 1;
    }
    fault(skip_blanks(bytes, from, end) < end, text, from, end);
}

const fn check_options(text: &str, from: usize, end: usize, wrapping: bool) {
    let bytes = text.as_bytes();
    let mut word = skip_blanks(bytes, from, end);
    while word < end {
        let stop = word_end(bytes, word, end);
        let mut at = word;
        while at < stop && bytes[at] != b'!' {
            at += 1;
        }
        fault(bytes[word] != b'-', text, word, stop);
        fault(at > word, text, word, stop);
        if at < stop {
            let value = bytes[at - 1] == b':' || bytes[at - 1] == b'^';
            check_uses(text, at + 1, stop, value, wrapping);
        }
        word = skip_blanks(bytes, stop, end);
    }
}

const fn check_operands(text: &str, from: usize, end: usize, wrapping: bool) {
    let bytes = text.as_bytes();
    let mut word = skip_blanks(bytes, from, end);
    while word < end {
        let stop = word_end(bytes, word, end);
        let mut begin = word;
        let mut at = word;
        while at < stop {
            if bytes[at] == b'>' {
                begin = at + 1;
            }
            at += 1;
        }
        let last = bytes[stop - 1];
        let cut = if last == b'*' || last == b'?' { stop - 1 } else { stop };
        fault(begin < cut, text, word, stop);
        check_uses(text, begin, cut, true, wrapping);
        word = skip_blanks(bytes, stop, end);
    }
}

/// Uses, joined by `+`.
const fn check_uses(text: &str, from: usize, end: usize, value: bool, wrapping: bool) {
    let bytes = text.as_bytes();
    let mut word = from;
    while word <= end {
        let mut stop = word;
        while stop < end && bytes[stop] != b'+' {
            stop += 1;
        }
        fault(stop > word, text, from, end);
        let name = part(text, word, stop).as_bytes();
        let list = name[0] == b'{' && name[name.len() - 1] == b'}';
        let known = Use::of(name).is_some()
            || value && (list || Judge::of(name).is_some())
            || wrapping && Wrap::of(name).is_some();
        fault(known, text, word, stop);
        word = stop + 1;
    }
}

/// Ends the build with what is wrong; the functions that called this say why.
const fn fault(fine: bool, text: &str, from: usize, end: usize) {
    assert!(fine, "{}", part(text, from, end));
}

const fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += 1;
    }
    at
}

const fn skip_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && (bytes[at] == b' ' || bytes[at] == b'\t') {
        at += 1;
    }
    at
}

const fn word_end(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && bytes[at] != b' ' && bytes[at] != b'\t' {
        at += 1;
    }
    at
}

/// A part of a text; its ends stand beside blanks and marks, which are single bytes.
const fn part(text: &str, from: usize, end: usize) -> &str {
    let (head, _) = text.split_at(end);
    let (_, tail) = head.split_at(from);
    tail
}
