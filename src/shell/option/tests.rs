//! Every way of writing an option.

use super::super::{Piece, Shape, Unknown};
use super::*;

fn args(words: &[&str]) -> Vec<Arg> {
    words.iter().map(|w| Arg::exact(*w)).collect()
}

fn dynamic(head: &str, many: bool) -> Arg {
    let mut pieces = vec![Piece::Unknown(Unknown::Variable("x".into()))];
    if !head.is_empty() {
        pieces.insert(0, Piece::Fixed(head.into()));
    }
    Arg {
        shape: Shape::Dynamic { pieces, many },
        span: super::super::Span::default(),
    }
}

fn show(grammar: Grammar<'_>, args: &[Arg]) -> String {
    Reader::new(grammar, args)
        .map(|item| match item {
            Item::Option { spec, value, .. } => match value {
                Some(v) => format!("{}={}", spec.name(), v.literal().unwrap_or("?")),
                None => spec.name().to_owned(),
            },
            Item::Digits { text, .. } => format!("#{text}"),
            Item::Unknown { text, .. } => format!("unknown:{text}"),
            Item::Unclear { .. } => "unclear".to_owned(),
            Item::End { .. } => "end".to_owned(),
            Item::Operand { arg, .. } => format!("<{}>", arg.literal().unwrap_or("?")),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

const SPEC: &str = "a|all n:|lines: v o::|output:: kill-after: kill-all # z!bad";

#[test]
fn every_way_of_writing_an_option_is_one_option() {
    let g = Grammar::leading(SPEC);
    for (words, want) in [
        (&["-a", "x", "-v"][..], "a <x> <-v>"),
        (&["-avn5", "x"][..], "a v n=5 <x>"),
        (&["-n", "5"][..], "n=5"),
        (&["--lines=5", "--li", "6"][..], "n=5 n=6"),
        (&["-n", "--", "--", "-a"][..], "n=-- end <-a>"),
        (&["-oX", "-o", "X"][..], "o=X o <X>"),
        (&["--output=", "--output", "y"][..], "o= o <y>"),
        (&["-20", "-", "-a"][..], "#20 <-> <-a>"),
        (&["--all=x"][..], "unknown:--all=x"),
        (&["--kill"][..], "unknown:--kill"),
        (&["-n"][..], "unknown:-n"),
        (&["-aqv"][..], "a unknown:qv"),
        (&["--nope"][..], "unknown:--nope"),
    ] {
        assert_eq!(show(g, &args(words)), want, "{words:?}");
    }
}

#[test]
fn options_may_follow_operands_where_the_program_allows_it() {
    assert_eq!(
        show(Grammar::mixed(SPEC), &args(&["x", "-a", "--", "-v"])),
        "<x> a end <-v>"
    );
}

#[test]
fn what_may_become_an_option_is_unclear() {
    let g = Grammar::mixed(SPEC);
    assert_eq!(show(g, &[dynamic("", false)]), "unclear");
    assert_eq!(show(g, &[dynamic("src/", false)]), "<?>");
    assert_eq!(show(g, &[dynamic("--lines=", false)]), "n=?");
    assert_eq!(show(g, &[dynamic("--li", false)]), "unclear");
    assert_eq!(show(g, &[dynamic("-n", false)]), "n=?");
    assert_eq!(show(g, &[dynamic("-a", false)]), "a unclear");
    assert_eq!(show(g, &[Arg::exact("-n"), dynamic("", false)]), "n=?");
    assert_eq!(
        show(g, &[Arg::exact("-n"), dynamic("", true), Arg::exact("x")]),
        "unclear <x>"
    );
    assert_eq!(show(g, &[Arg::exact("--"), dynamic("", false)]), "end <?>");
}

#[test]
fn an_abbreviation_that_may_mean_harm_means_harm() {
    let g = Grammar::leading("exec-path:!run exec-mode extra");
    assert!(matches!(
        Reader::new(g, &args(&["--exec", "x"])).next(),
        Some(Item::Option { spec, .. }) if spec.effect == "run"
    ));
}

#[test]
fn what_is_no_name_finds_nothing() {
    let g = Grammar::leading("a|all n:|lines:!run kill-after: z!bad");
    for word in [
        "--a|all",
        "--all n",
        "--n:",
        "--lines:!run",
        "--bad",
        "--run",
        "--!bad",
        "-|",
        "-:",
        "-!",
        "--",
    ] {
        for item in Reader::new(g, &args(&[word, "x"])) {
            assert!(!matches!(item, Item::Option { .. }), "{word}");
        }
    }
    // A letter within a longer name is none.
    assert_eq!(show(g, &args(&["-l"])), "unknown:l");
    assert_eq!(show(g, &args(&["-k"])), "unknown:k");
}
