//! Commands in the background are found by their owner alone, told lost when their process is gone, and thrown away in time.

use super::*;
use proptest::prelude::*;

fn owner(agent: &str, session: &str) -> Owner {
    Owner {
        agent: agent.to_owned(),
        session: session.to_owned(),
    }
}

fn record(id: String) -> BackgroundRecord {
    BackgroundRecord {
        id,
        owner: owner("nobody", "nothing"),
        command: "sleep 1".to_owned(),
        cwd: "/".to_owned(),
        pid: None,
        started_at_ms: now_ms(),
        terminal: false,
        input: "code".to_owned(),
        input_seen: false,
        reads_lines: None,
        setting: String::new(),
        host: "gateway".to_owned(),
        grants: Vec::new(),
        supervisor: 0,
        boot: String::new(),
        max_chars: 100,
    }
}

fn uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[test]
fn one_whose_process_is_gone_is_lost_and_one_that_has_ended_is_not() {
    let temp = tempfile::tempdir().unwrap();
    let commands = CommandStore::create(temp.path(), uid(), &owner("a", "s")).unwrap();
    let begun = commands.begin(record).unwrap();
    let kept = commands.find(&begun.record.id).unwrap().unwrap();
    assert_eq!(kept.standing().unwrap(), CommandState::Running);
    let other = commands.begin(record).unwrap();
    let end = BackgroundEnd {
        how: How::Exited(3),
        timed_out: false,
        ended_at_ms: now_ms(),
        notes: Vec::new(),
    };
    other.end(&end).unwrap();
    let id = other.record.id.clone();
    drop((begun, other));
    // A program that another test is just starting still holds what this process held.
    for _ in 0..2000 {
        if kept.standing().unwrap() != CommandState::Running {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let CommandState::Ended(lost) = kept.standing().unwrap() else {
        panic!("it runs without a process");
    };
    assert_eq!(lost.how, How::Lost);
    assert_eq!(
        commands.find(&id).unwrap().unwrap().standing().unwrap(),
        CommandState::Ended(end)
    );
}

#[test]
fn what_ended_long_ago_is_thrown_away() {
    thrown_away(|commands, _| assert!(commands.all().unwrap().is_empty()));
}

#[test]
fn what_ended_long_ago_is_thrown_away_whoever_comes() {
    thrown_away(|_, state| {
        let swept = fs::File::open(state.join(ROOM).join(SWEPT)).unwrap();
        let create = || CommandStore::create(state, uid(), &owner("b", "s")).unwrap();
        create();
        swept.set_modified(SystemTime::now() - SWEEPING).unwrap();
        create();
    });
}

fn thrown_away(look: impl FnOnce(&CommandStore, &Path)) {
    let temp = tempfile::tempdir().unwrap();
    let commands = CommandStore::create(temp.path(), uid(), &owner("a", "s")).unwrap();
    let begun = commands.begin(record).unwrap();
    begun
        .end(&BackgroundEnd {
            how: How::Exited(0),
            timed_out: false,
            ended_at_ms: now_ms() - millis(KEPT) - 1000,
            notes: Vec::new(),
        })
        .unwrap();
    let path = begun.path().to_owned();
    assert!(path.exists());
    look(&commands, temp.path());
    assert!(!path.exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nobody_sees_what_belongs_to_others(
        owners in prop::collection::btree_set(("[ab\n:/.]{0,3}", "[ab\n:/.]{0,3}"), 2..6),
        asked in prop::collection::vec("[a-z/.-]{0,6}", 4),
    ) {
        let temp = tempfile::tempdir().unwrap();
        let owners: Vec<Owner> = owners.iter().map(|(agent, session)| owner(agent, session)).collect();
        let stores: Vec<CommandStore> = owners.iter().map(|o| CommandStore::create(temp.path(), uid(), o).unwrap()).collect();
        let begun: Vec<NewCommand> = stores.iter().map(|commands| commands.begin(record).unwrap()).collect();
        for (at, commands) in stores.iter().enumerate() {
            let seen = commands.all().unwrap();
            prop_assert_eq!(seen.len(), 1);
            prop_assert_eq!(&seen[0].record.id, &begun[at].record.id);
            for (other, one) in begun.iter().enumerate() {
                let id = &one.record.id;
                let crooked = format!("../{}/{id}", stem(&owners[other]));
                prop_assert!(commands.find(&crooked).unwrap().is_none());
                if other != at && *id != begun[at].record.id {
                    prop_assert!(commands.find(id).unwrap().is_none());
                }
            }
            let own = &begun[at].record.id;
            prop_assert!(commands.find(&own[..own.len() - 1]).unwrap().is_none());
            for id in &asked {
                prop_assert!(id == own || commands.find(id).unwrap().is_none());
            }
        }
    }
}

#[test]
fn one_that_is_hidden_while_it_is_thrown_away_is_gone() {
    let temp = tempfile::tempdir().unwrap();
    let commands = CommandStore::create(temp.path(), uid(), &owner("a", "s")).unwrap();
    for _ in 0..100 {
        let begun = commands.begin(record).unwrap();
        let kept = commands.find(&begun.record.id).unwrap().unwrap();
        std::thread::scope(|scope| {
            let hiding = scope.spawn(|| (0..20).try_for_each(|_| kept.hide()));
            begun.throw_away().unwrap();
            hiding.join().unwrap().unwrap();
        });
        assert!(!begun.path().exists());
    }
}
