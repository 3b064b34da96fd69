use super::super::store::Store;
use super::*;
use proptest::prelude::*;
use std::fs;

fn open(dir: &Path) -> Lines {
    let uid = rustix::process::geteuid().as_raw();
    Store::create(&dir.join("state"), uid)
        .unwrap()
        .lines("a.jsonl", Durability::None)
        .unwrap()
}

#[test]
fn a_torn_line_is_dropped_and_a_whole_one_ended() {
    let temp = tempfile::tempdir().unwrap();
    let mut lines = open(temp.path());
    for (content, repair, after) in [
        ("", None, ""),
        ("{\"a\":1}\n", None, "{\"a\":1}\n"),
        ("{\"a\":1}\n{\"b\":", Some(Repair::Dropped(5)), "{\"a\":1}\n"),
        ("{\"b\":", Some(Repair::Dropped(5)), ""),
        ("{\"a\":1}\n{\"b\":2}", Some(Repair::Ended), "{\"a\":1}\n{\"b\":2}\n"),
        ("{\"a\":1}\n12", Some(Repair::Dropped(2)), "{\"a\":1}\n"),
        ("{\"a\":1}\n\0\0\0", Some(Repair::Dropped(3)), "{\"a\":1}\n"),
    ] {
        fs::write(lines.path(), content).unwrap();
        assert_eq!(lines.lock().unwrap().repair(), repair, "{content:?}");
        assert_eq!(fs::read_to_string(lines.path()).unwrap(), after);
    }
    fs::write(lines.path(), "x".repeat(100_000)).unwrap();
    assert_eq!(lines.lock().unwrap().repair(), Some(Repair::Dropped(100_000)));
}

#[test]
fn a_log_written_anew_goes_on_for_everyone() {
    let temp = tempfile::tempdir().unwrap();
    let mut lines = open(temp.path());
    let mut other = open(temp.path());
    lines.lock().unwrap().append_all("{}\n{}\n").unwrap();
    assert!(lines.lock().unwrap().append_all("{}").is_err());
    lines.lock().unwrap().rewrite("{\"n\":2}\n").unwrap();
    other.lock().unwrap().append(b"{\"n\":3}").unwrap();
    lines.lock().unwrap().append(b"{\"n\":4}").unwrap();
    let content = other.lock().unwrap().content(99).unwrap();
    assert_eq!(content, b"{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n");
    assert!(other.lock().unwrap().content(9).is_err());
}

#[test]
fn what_is_no_line_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let mut lines = open(temp.path());
    let mut locked = lines.lock().unwrap();
    assert!(locked.append(b"a\nb").is_err());
    assert!(locked.append(&vec![b'x'; MAX_LINE + 1]).is_err());
    assert!(locked.is_empty());
    assert_eq!(locked.last().unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn tails_and_places_agree_with_the_whole(sizes in proptest::collection::vec(0..20_000_usize, 0..12), count in 0..14_usize) {
        let temp = tempfile::tempdir().unwrap();
        let mut lines = open(temp.path());
        let mut locked = lines.lock().unwrap();
        let mut all = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let line = vec![b'a' + u8::try_from(i).unwrap(); *size + 1];
            let place = locked.append(&line).unwrap();
            prop_assert_eq!(locked.line_at(place).unwrap(), Some(line.clone()));
            prop_assert_eq!(locked.line_at(place + 1).unwrap(), None);
            all.push(line);
        }
        let from = all.len().saturating_sub(count);
        prop_assert_eq!(locked.tail(count).unwrap(), all[from..].to_vec());
        let mut seen = Vec::new();
        let len = locked.len();
        drop(locked);
        lines.each(len, |line| { seen.push(line.to_vec()); std::ops::ControlFlow::Continue(()) }).unwrap();
        prop_assert_eq!(seen, all);
    }
}
