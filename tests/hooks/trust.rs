//! Hooks whose program or script is not what a person trusted.

use crate::*;

/// A hook of a trusted project file beside the workspace's `guard.sh`, as it was when it was trusted.
fn trusted(world: &World, argv: &[&str], content: &str) -> HookEntry {
    let workspace = &world.context.workspace;
    let recorded = TrustedScript {
        path: workspace.join("guard.sh"),
        sha256: Some(config::sha256(content.as_bytes())),
    };
    let trust = CommandTrust {
        repository: workspace.clone(),
        files: vec![recorded],
    };
    HookEntry {
        command: ConfiguredCommand {
            directory: workspace.clone(),
            trust: Some(Arc::new(trust)),
            ..command(argv)
        },
        on_error: OnError::Allow,
        ..sh("")
    }
}

#[test]
fn a_script_that_is_not_what_was_trusted_is_refused_even_if_failures_are_forgiven() {
    let world = World::new();
    let content = "cat >/dev/null; echo {}";
    let script = world.ws("guard.sh");
    let absolute = script.to_str().unwrap();
    let spellings: [&[&str]; 4] = [
        &["sh", "guard.sh"],
        &["sh", "./guard.sh"],
        &["sh", absolute],
        &["sh", "--init-file=./guard.sh", "-c", "exit 0"],
    ];
    for argv in spellings {
        let hook = trusted(&world, argv, content);
        fs::write(&script, content).unwrap();
        if !argv[1].starts_with("--") {
            let got = world.ask(std::slice::from_ref(&hook), "exec", json!({}));
            assert_eq!((got.blocked, got.notes.len()), (None, 0), "{argv:?}");
        }
        for evil in ["touch ran", ""] {
            fs::write(&script, evil).unwrap();
            let (code, reason) = blocked(&world.ask(std::slice::from_ref(&hook), "exec", json!({})));
            assert_eq!(code, Code::UntrustedConfig, "{argv:?}: {reason}");
            assert!(reason.contains("guard.sh"), "{reason}");
        }
        fs::remove_file(&script).unwrap();
        assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
    }
    assert!(!world.ws("ran").exists());
}

#[test]
fn a_file_that_nobody_recorded_does_not_stand_in_for_a_recorded_one() {
    let world = World::new();
    let content = "exit 0";
    fs::write(world.ws("guard.sh"), content).unwrap();
    fs::write(world.ws("other.sh"), content).unwrap();
    let hook = trusted(&world, &["sh", "other.sh"], content);
    assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
}

#[test]
fn a_trusted_script_that_is_changed_while_it_runs_has_said_nothing() {
    let world = World::new();
    let content = "cat >/dev/null; echo '# more' >> guard.sh";
    fs::write(world.ws("guard.sh"), content).unwrap();
    let hook = trusted(&world, &["sh", "guard.sh"], content);
    assert_eq!(blocked(&world.ask(&[hook], "exec", json!({}))).0, Code::UntrustedConfig);
}

#[test]
fn a_program_that_others_can_write_is_not_started() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let guard = world.dir.path().join("guard");
    fs::write(&guard, "#!/bin/sh\ntouch ran\necho {}\n").unwrap();
    for (mode, wanted) in [(0o757, true), (0o755, false)] {
        fs::set_permissions(&guard, fs::Permissions::from_mode(mode)).unwrap();
        for argv in [vec![guard.to_str().unwrap()], vec!["sh", guard.to_str().unwrap()]] {
            let hook = HookEntry {
                command: command(&argv),
                ..sh("")
            };
            let got = world.ask(&[hook], "exec", json!({}));
            let code = got.blocked.map(|b| b.code);
            assert_eq!(code, wanted.then_some(Code::UntrustedConfig), "{argv:?}");
        }
        assert_eq!(world.ws("ran").exists(), !wanted);
    }
}
