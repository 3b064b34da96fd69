//! Mutations of lines.

use crate::dice::Dice;

const PIECES: &[&str] = &[
    "'", "\"", "\\", "$", "`", "(", ")", "{", "}", ";", "&", "|", "<", ">", "\n", " ", "#", "*", "?", "[", "]", "~",
    "!", "=", "$(", "${", "$((", "))", "&&", "||", ";;", "<<", "<<<", ">&", "\\\n", "$'", "[[", "]]", "if ", "; then ",
    "fi", "do ", "done", "esac", "in ", "time ", "2>", ",", "..", ":", "-", "+=", "sa ", "$X", "\"$X\"", "''", "EOF\n",
    "<(", "${X", ":-", "%", "@", "\t", "{fd}>", "$\"", "$[", "@(", "?(", "\u{a0}", "\r", "&>", "|&", "<<-", "<<'E'\n",
    "((", "^", "~+", "=~", "=:~", "k=", ">(", "coproc ", "f() ", "X[0]=", "+=(", ";&", ";;&", "${!", "@Q}", "${#",
    ":1:2}", ",,}", "^^}", "//", "\nEOF\n", "exec ", "eval ", "export ", "wait", "1>", "}", "*/", "\\\\", "é",
];

/// Changes a line in a few places.
pub(crate) fn mutate(dice: &mut Dice, line: &str) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(chars.len() + 1);
        match dice.below(6) {
            0 if !chars.is_empty() => {
                chars.remove(at.min(chars.len() - 1));
            }
            1 if chars.len() > 2 => {
                let other = dice.below(chars.len());
                let at = at.min(chars.len() - 1);
                chars.swap(at, other);
            }
            2 => {
                let from = dice.below(chars.len() + 1);
                let to = (from + dice.below(6)).min(chars.len());
                let copy: Vec<char> = chars[from..to].to_vec();
                chars.splice(at..at, copy);
            }
            _ => {
                let piece = *dice.pick(PIECES);
                chars.splice(at..at, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}
