//! Caches of packages below walls.

use super::*;

#[test]
fn changes_of_a_cache_are_kept_elsewhere() {
    let lab = Lab::new();
    for name in ["cache/old", "changes/upper", "changes/work"] {
        fs::create_dir_all(lab.at(name)).unwrap();
    }
    let walls = Walls {
        overlays: vec![Overlay {
            lower: lab.at("cache"),
            changes: lab.at("changes"),
        }],
        ..lab.walls()
    };
    let ran = lab.within(
        walls,
        kernel(),
        "echo x > ../cache/new; rmdir ../cache/old; ls ../cache",
    );
    assert_eq!(text(&ran), "new\n");
    assert!(lab.at("cache/old").exists() && !lab.at("cache/new").exists());
    assert!(lab.at("changes/upper/new").exists());
}

#[test]
fn what_is_hidden_below_a_cache_stays_hidden_and_what_its_changes_took_away_is_gone() {
    let lab = Lab::new();
    for name in ["cache/mine/in", "cache/state/changes/upper", "cache/state/changes/work"] {
        fs::create_dir_all(lab.at(name)).unwrap();
    }
    for name in ["cache/token", "cache/mine/in/k", "cache/mine/k", "cache/gone"] {
        fs::write(lab.at(name), "secret\n").unwrap();
    }
    let walls = |hidden: &[&str]| Walls {
        overlays: vec![Overlay {
            lower: lab.at("cache"),
            changes: lab.at("cache/state/changes"),
        }],
        hidden: hidden.iter().map(|name| lab.at(name)).collect(),
        ..lab.walls()
    };
    // Before anything was hidden there a run took one of them away.
    let ran = lab.within(walls(&[]), kernel(), "rm ../cache/gone; cat ../cache/token");
    assert_eq!(text(&ran), "secret\n");
    let hidden = [
        "cache/state",
        "cache/mine/k",
        "cache/mine",
        "cache/token",
        "cache/gone",
        "cache/token",
    ];
    let script = "cd ../cache; cat token mine/k mine/in/k gone; rm -rf mine token; mv mine other; mv token t; cat other/k t; \
                  ls -A mine state; echo x > new; cat new";
    let ran = lab.within(walls(&hidden), kernel(), &format!("exec 2>/dev/null; {script}"));
    assert_eq!(text(&ran), "mine:\n\nstate:\nx\n");
    let free = lab.free("cat ../cache/token ../cache/mine/k ../cache/mine/in/k");
    assert_eq!(text(&free), "secret\nsecret\nsecret\n");
}

#[test]
fn changes_that_are_kept_below_the_cache_itself_may_be_in_use() {
    let lab = Lab::new();
    for name in ["cache/state/changes/upper", "cache/state/changes/work"] {
        fs::create_dir_all(lab.at(name)).unwrap();
    }
    fs::write(lab.at("cache/old"), "old\n").unwrap();
    let lock = fs::File::create(lab.at("cache/state/changes/lock")).unwrap();
    lock.lock().unwrap();
    let walls = Walls {
        overlays: vec![Overlay {
            lower: lab.at("cache"),
            changes: lab.at("cache/state/changes"),
        }],
        ..lab.walls()
    };
    let ran = lab.within(walls, kernel(), "cd ../cache; cat old; echo x > new; cat new");
    assert_eq!(text(&ran), "old\nx\n");
    assert!(!lab.at("cache/new").exists());
}
