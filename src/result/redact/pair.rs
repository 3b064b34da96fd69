//! The secret of an AWS access key: forty characters that nothing tells by themselves, but that their id stands beside, on
//! the same line or shortly before. What came before the id was shown already, so it is not looked at.

use super::bytes::{cut, find, is_word, take};
use super::form::form_at;
use super::hit::Hit;
use super::look::is_random;

/// Lines after that of an id in which its secret is looked for.
pub(super) const LINES: usize = 3;

/// What a mask calls it.
const KIND: &str = "aws-secret-key";

/// Its length, in bytes.
const LENGTH: usize = 40;

/// How ids begin.
const IDS: [&[u8]; 2] = [b"AKIA", b"ASIA"];

/// Whether an id stands on a line that its secret is not on; that is collected.
pub(super) fn scan(line: &[u8], found: &mut impl FnMut(Hit)) -> bool {
    IDS.iter().any(|id| holds(line, id)) && !secrets(line, found)
}

fn holds(line: &[u8], id: &[u8]) -> bool {
    let mut from = 0;
    while let Some(place) = find(line, from, id) {
        from = place + 1;
        let inside = place
            .checked_sub(1)
            .and_then(|i| line.get(i))
            .is_some_and(|b| is_word(*b));
        if !inside && form_at(line, place).is_some() {
            return true;
        }
    }
    false
}

/// Collects the secrets of a line that belongs to an id; whether there is one.
pub(super) fn secrets(line: &[u8], found: &mut impl FnMut(Hit)) -> bool {
    let (mut any, mut i) = (false, 0);
    while i < line.len() {
        let end = take(line, i, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'));
        let run = cut(line, i, end);
        let ends = !line.get(end).is_some_and(|b| matches!(b, b'_' | b'-' | b'='));
        let alone = line.trim_ascii().len() <= LENGTH + 3;
        if run.len() == LENGTH && ends && is_mixed(run) && (alone || is_random(run)) {
            found(Hit::issued((i, end), KIND));
            any = true;
        }
        i = end + 1;
    }
    any
}

fn is_mixed(run: &[u8]) -> bool {
    run.iter().any(u8::is_ascii_uppercase)
        && run.iter().any(u8::is_ascii_lowercase)
        && run.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::super::Redactor;

    const ID: &str = "AKIAQ3EGNBVXR7LTZ2WH";
    const SECRET: &str = "wJ4lrXUtnF3MI/K7MDENGbPxRfi2YzPQ8rsTvE1k";

    #[test]
    fn the_secret_beside_an_id_is_hidden() {
        for text in [
            format!("{ID}\n{SECRET}\n"),
            format!("{ID}\n\n\"{SECRET}\",\n"),
            format!("{ID},{SECRET}\n"),
            format!("{SECRET}\t{ID}\n"),
            format!("me {ID} {SECRET} Active\n"),
            format!("id {ID} of\nme\n  secret {SECRET} of\n"),
        ] {
            let hidden = Redactor::built_in().text(&text).0.into_owned();
            assert!(!hidden.contains(&SECRET[4..36]), "{hidden}");
            let redactor = Redactor::built_in();
            for cut in 0..text.len() {
                let (mut stream, mut shown) = (redactor.stream(), String::new());
                stream.push(&text[..cut], &mut |ready| shown += ready);
                stream.push(&text[cut..], &mut |ready| shown += ready);
                stream.finish(&mut |ready| shown += ready);
                assert_eq!(shown, hidden, "cut at {cut}");
            }
        }
    }

    #[test]
    fn what_no_id_stands_beside_stays() {
        for (text, want) in [
            (format!("{SECRET}\n"), true),
            (format!("AKIA\n{SECRET}\n"), true),
            (format!("{ID}\n3f9a0c7e5b1d82463f9a0c7e5b1d82463f9a0c7e\n"), false),
            (format!("{ID}\n{SECRET}Aa1\n"), false),
            (format!("{ID}\na\nb\nc\n{SECRET}\n"), false),
            (format!("{ID} src/main/java/org/Example2/Web/Config9/a/b1\n"), false),
        ] {
            let hidden = Redactor::built_in().text(&text).0.into_owned();
            let rest = text.replace(ID, "");
            assert!(hidden.ends_with(rest.trim_start_matches("AKIA")), "{hidden}");
            assert_eq!(hidden == text, want, "{hidden}");
        }
    }
}
