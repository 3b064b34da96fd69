//! A whole line at the prompt of a shell is judged like a command.

use crate::input::{GRANTS, SHELL, is, line, start_allowed};
use crate::world::*;
use serde_json::json;

#[test]
fn a_whole_line_at_a_prompt_is_judged_like_a_command() {
    let world =
        World::new("tools: {exec: {allowlist: [cat, ls], commands: {deny: [ls /etc]}, ask: on-miss, floor: 'off'}}\n");
    std::fs::create_dir_all(world.path("work/sub")).unwrap();
    std::fs::write(world.path("work/sub/note.txt"), "needle\n").unwrap();
    for shell in [SHELL, "sh"] {
        let id = start_allowed(&world, shell, &[]);
        is(&line(&world, &id, "cd sub\n"), "completed", "ok");
        is(&line(&world, &id, "cat note.txt && pwd\r"), "completed", "ok");
        world.until(&id, "the note", |log| log.contains("needle"));
        is(&line(&world, &id, "touch hit\n"), "approval-pending", "allowlist-miss");
        is(&line(&world, &id, "ls /etc\n"), "denied", "command-rule");
        if shell == SHELL {
            is(&line(&world, &id, "echo ~/x\n"), "completed", "ok");
            is(&line(&world, &id, "echo '$PS1' $HOME/y\n"), "completed", "ok");
            let home = world.path("home/x");
            world.until(&id, "its home", |log| log.contains(home.to_str().unwrap()));
        }
        // What a person allowed is settled; what comes later is not.
        let asked = line(&world, &id, "touch made && cd ..\n");
        is(&world.allowed(&asked, &[]), "completed", "ok");
        is(&line(&world, &id, "ls sub/made\n"), "completed", "ok");
        is(&line(&world, &id, "touch hit\n"), "approval-pending", "allowlist-miss");
        is(
            &line(&world, &id, "touch made && cd ..\n"),
            "approval-pending",
            "allowlist-miss",
        );
        is(&line(&world, &id, "ls /etc\n"), "denied", "command-rule");
        is(&line(&world, &id, "cd sub\n"), "completed", "ok");
        for other in [
            "x=ls\n",
            "ls",
            "l\ts\n",
            "ls &\n",
            "alias ls=touch\n",
            "PS1='$(touch hit)'\n",
            "!!\n",
            "f() { ls; }\n",
        ] {
            is(&line(&world, &id, other), "approval-pending", "inline-eval");
        }
        // What a program reads that has the terminal is not read by the shell.
        is(&line(&world, &id, "cat\n"), "completed", "ok");
        is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
        // A signal may have taken away what was judged.
        is(
            &world.process("send-keys", &id, json!({"keys": ["C-c"]})),
            "completed",
            "ok",
        );
        is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
    }
    assert!(!world.path("work/sub/hit").exists());
}

/// An earlier line stands in the text that a later one is judged behind: what a person allowed there must not cover what
/// comes after it, however alike it is.
#[test]
fn what_a_person_allowed_of_one_line_covers_no_other() {
    let world = World::new(
        "tools: {exec: {allowlist: [cat, ls, python3, cargo], commands: {deny: [ls /etc], ask: [ls /usr]}, ask: on-miss, \
         floor: 'off'}}\n",
    );
    std::fs::create_dir(world.path("home/.ssh")).unwrap();
    std::fs::write(world.path("home/.ssh/id_rsa"), "x\n").unwrap();
    std::fs::create_dir_all(world.path("work/sub/deep")).unwrap();
    std::os::unix::fs::symlink("sub/deep", world.path("work/link")).unwrap();
    for (allowed, later, code) in [
        ("ls /usr", "ls /usr", "command-rule"),
        ("touch a.py", "touch b.py", "allowlist-miss"),
        ("touch a.py", "touch a.py", "allowlist-miss"),
        ("python3 -c 'print(1)'", "python3 -c 'print(1)'", "inline-eval"),
        ("python3 -c 'print(1)'", "python3 -c 'print(2)'", "inline-eval"),
        (
            "echo 1 > a.py && python3 a.py",
            "echo 2 > b.py && python3 b.py",
            "inline-eval",
        ),
        (
            "echo 1 > a.py && python3 a.py",
            "echo 1 > a.py && python3 a.py",
            "inline-eval",
        ),
        ("cp /bin/ls ls && ./ls", "./ls", "allowlist-miss"),
        (
            "cp /bin/ls ls && ./ls",
            "cp /bin/touch ls && ./ls hit",
            "allowlist-miss",
        ),
        ("cat ../home/.ssh/id_rsa", "cat ../home/.ssh/id_rsa", "path-escape"),
        (
            "cat ../home/.ssh/id_rsa",
            "ls && cat ../home/.ssh/id_rsa",
            "path-escape",
        ),
        ("touch made", "x=1", "inline-eval"),
        ("touch made", "ls $HISTFILE", "inline-eval"),
        ("touch made", "ls made &", "inline-eval"),
        ("x=1", "ls", "inline-eval"),
        ("alias ls=touch", "ls", "inline-eval"),
        ("touch () { ls; }", "ls", "inline-eval"),
        ("exec 2>log", "ls", "inline-eval"),
        ("trap 'touch hit' DEBUG", "ls", "inline-eval"),
        ("set -x", "ls", "inline-eval"),
        (". ./rc", "ls", "inline-eval"),
        ("hash -p /bin/touch ls", "ls hit", "inline-eval"),
        ("touch made &", "ls", "inline-eval"),
        ("touch made; (cd sub)", "ls", "inline-eval"),
        ("ulimit -f 0", "ls", "inline-eval"),
        ("umask 0", "ls", "inline-eval"),
        ("touch made; PATH=.", "ls", "inline-eval"),
        ("exec sh", "ls", "inline-eval"),
        ("eval ls", "ls", "inline-eval"),
        ("read x", "ls", "inline-eval"),
        (
            "cd link && touch made",
            "cd .. && cat ../home/.ssh/id_rsa",
            "path-escape",
        ),
    ] {
        std::fs::write(world.path("work/rc"), "alias ls=touch\n").unwrap();
        let id = start_allowed(&world, SHELL, &[]);
        let asked = line(&world, &id, &format!("{allowed}\n"));
        assert_eq!(asked["status"], "approval-pending", "{allowed}: {asked}");
        is(&world.allowed(&asked, &[]), "completed", "ok");
        let got = line(&world, &id, &format!("{later}\n"));
        assert_eq!(
            (&got["status"], &got["code"]),
            (&json!("approval-pending"), &json!(code)),
            "{allowed}, then {later}: {got}"
        );
        world.process("remove", &id, json!({}));
    }
    assert!(!world.path("work/hit").exists());
}

#[test]
fn a_line_is_judged_for_the_setting_in_which_the_shell_was_started() {
    let world = World::new(GRANTS);
    let id = start_allowed(&world, SHELL, &[]);
    is(&line(&world, &id, "ls\n"), "completed", "ok");
    std::fs::write(world.path("config.yaml"), GRANTS.replace("'off'", "auto")).unwrap();
    is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
}

#[test]
fn a_shell_that_reads_more_than_its_lines_is_asked_about() {
    let world = World::new(GRANTS);
    std::fs::create_dir_all(world.path("work/bin")).unwrap();
    std::fs::write(world.path("home/.bashrc"), "PATH=./bin:$PATH\n").unwrap();
    for shell in [
        "bash",
        "bash -i",
        "bash --norc --noprofile",
        "bash --norc --noediting",
        "bash --noediting --noprofile --norc -l",
        "bash --posix --norc --noprofile --noediting",
        "sh -l",
    ] {
        let id = start_allowed(&world, shell, &[]);
        is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
        world.process("remove", &id, json!({}));
    }
}

#[test]
fn a_line_that_a_terminal_would_cut_is_not_judged_alone() {
    let world = World::new(GRANTS);
    for shell in [SHELL, "sh"] {
        let id = start_allowed(&world, shell, &[]);
        let long = format!("echo '{}'\n", "a".repeat(4200));
        is(&line(&world, &id, &long), "approval-pending", "inline-eval");
        is(&line(&world, &id, "echo short\n"), "completed", "ok");
        // The beginning of a command is none.
        is(&line(&world, &id, "echo a \\\n"), "approval-pending", "inline-eval");
        is(&line(&world, &id, "echo 'a\n"), "approval-pending", "inline-eval");
    }
}

const WITH_PYTHON: &str = "tools: {exec: {allowlist: [cat, ls, python3], ask: on-miss, floor: 'off'}}\n";

#[test]
fn a_terminal_with_other_keys_is_not_typed_into_unasked() {
    let world = World::new(WITH_PYTHON);
    let set = |what: &str| format!("import termios\nt = termios.tcgetattr(0)\n{what}\ntermios.tcsetattr(0, 0, t)\n");
    for (at, what) in [
        "t[6][termios.VKILL] = b'%'",
        "t[6][termios.VERASE] = b'a'",
        "t[6][termios.VEOL2] = b';'",
        "t[0] |= termios.IGNCR",
        "t[3] |= termios.IEXTEN; t[6][termios.VLNEXT] = b'x'",
    ]
    .iter()
    .enumerate()
    {
        std::fs::write(world.path("work/set.py"), set(what)).unwrap();
        let id = start_allowed(&world, ["sh", SHELL][at % 2], &[]);
        is(&line(&world, &id, "ls\n"), "completed", "ok");
        is(&line(&world, &id, "python3 set.py\n"), "completed", "ok");
        is(
            &line(&world, &id, "ls %rm -v victim\n"),
            "approval-pending",
            "inline-eval",
        );
        world.process("remove", &id, json!({}));
    }
}

#[test]
fn a_shell_that_left_something_running_is_not_typed_into_unasked() {
    let world = World::new(WITH_PYTHON);
    let leave = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(60)\n    os._exit(0)\nos.wait()\n";
    std::fs::write(world.path("work/leave.py"), leave).unwrap();
    let id = start_allowed(&world, "sh", &[]);
    is(&line(&world, &id, "ls\n"), "completed", "ok");
    is(&line(&world, &id, "python3 leave.py\n"), "completed", "ok");
    is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
}

#[test]
fn a_directory_that_was_moved_under_a_shell_is_not_taken_for_the_one_that_was_judged() {
    let world = World::new(GRANTS);
    std::fs::create_dir_all(world.path("work/a/b/c")).unwrap();
    for shell in [SHELL, "sh"] {
        let id = start_allowed(&world, shell, &[]);
        is(&line(&world, &id, "cd a/b/c\n"), "completed", "ok");
        is(&line(&world, &id, "ls\n"), "completed", "ok");
        std::fs::rename(world.path("work/a/b/c"), world.path("work/c")).unwrap();
        std::fs::create_dir_all(world.path("work/a/b/c")).unwrap();
        is(&line(&world, &id, "cat ../../f\n"), "approval-pending", "inline-eval");
        std::fs::remove_dir(world.path("work/c")).unwrap();
        is(&line(&world, &id, "ls\n"), "approval-pending", "inline-eval");
    }
}

#[test]
fn a_directory_behind_a_link_is_left_by_both_of_its_names() {
    let world = World::new(GRANTS);
    std::fs::create_dir_all(world.path("work/x/y")).unwrap();
    std::os::unix::fs::symlink("x/y", world.path("work/link")).unwrap();
    std::fs::create_dir(world.path("home/.ssh")).unwrap();
    std::fs::write(world.path("home/.ssh/id_rsa"), "the key\n").unwrap();
    for command in [
        "cd link && cd .. && cat ../home/.ssh/id_rsa",
        "cd link/.. && cat ../home/.ssh/id_rsa",
        "cd -P link && cd ../.. && cat ../home/.ssh/id_rsa",
    ] {
        let got = world.call("exec", json!({"command": command}));
        assert_eq!(got["status"], "approval-pending", "{command} {got}");
    }
}
