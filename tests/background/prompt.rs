//! A person is asked at the terminal, and on the screen of all requests. What a command holds cannot change what they see,
//! and no key answers a question that nobody could have read yet.

use crate::screen::Screen;
use crate::seat::Seat;
use crate::world::*;
use serde_json::{Value, json};
use std::process::Command;

const ASKS: &str = "tools: {exec: {allowlist: ['**/bin/git'], ask: on-miss, floor: 'off'}}\n";

/// A call that asks the person at the terminal.
fn call(world: &World, call: &Value) -> Command {
    world.command(&["exec", "-o", "json", "--on-ask", "prompt", &call.to_string()])
}

fn touch(world: &World, columns: u16, rows: u16) -> Seat {
    let args = json!({"tool": "exec", "args": {"command": "touch hit"}});
    let seat = Seat::take(&call(world, &args), columns, rows);
    seat.sees("[a] once");
    seat
}

/// The attacks on what a person sees, as calls.
fn spoofs(world: &World) -> Vec<(String, Value, Value)> {
    let corpus = include_str!("../../fixtures/corpus/attacks.jsonl");
    let root = world.dir.path().to_str().unwrap();
    let cases = corpus.lines().map(|line| line.replace("${ROOT}/ws", "${ROOT}/work"));
    let cases = cases.map(|line| serde_json::from_str::<Value>(&line.replace("${ROOT}", root)).unwrap());
    let spoofs = cases.filter(|case| case["class"] == "prompt-spoof");
    spoofs
        .map(|case| {
            let id = case["id"].as_str().unwrap().to_owned();
            (id, case["call"].clone(), case["prompt"].clone())
        })
        .collect()
}

/// The text of rows, those that go on joined.
fn joined(rows: &str) -> String {
    rows.replace('\r', "").replace("\n┊ ", "")
}

/// The text of the detail on the screen of all requests.
fn detail(seat: &Seat, columns: usize, rows: usize) -> String {
    let screen = Screen::of(&seat.shown(), columns, rows).text();
    let rows = screen
        .lines()
        .filter_map(|row| row.strip_prefix('│')?.strip_suffix('│'));
    joined(&rows.map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn is_harmless(id: &str, text: &str, prompt: &Value) {
    for raw in prompt["notContainRaw"].as_array().unwrap() {
        let raw = raw.as_str().unwrap();
        if !["\n", "\r", ""].contains(&raw) {
            assert!(!text.contains(raw), "{id}: {raw:?} in {text:?}");
        }
    }
    let strange = |c: &char| c.is_control() && *c != '\n';
    assert_eq!(text.chars().find(strange), None, "{id}: {text:?}");
}

#[test]
fn no_command_changes_what_a_person_sees_at_the_prompt() {
    let world = World::new(ASKS);
    let mut asked = 0;
    for (id, args, prompt) in spoofs(&world) {
        let mut seat = Seat::take(&call(&world, &args), 80, 24);
        seat.until("a question or an end", |shown| {
            shown.contains("[d] deny") || shown.contains("\"durationMs\"")
        });
        if seat.shown().contains("[d] deny") {
            asked += 1;
            seat.turns_until(" ", "its end", |seat| seat.shown().contains("[a] once"));
            // The only sequence of its own clears the line of the question.
            let shown = seat.shown().replace("\r\u{1b}[K", "\n");
            let (page, _) = shown.split_once("[a] once").unwrap();
            let text = joined(page);
            is_harmless(&id, &text, &prompt);
            for must in prompt["mustShow"].as_array().unwrap() {
                assert!(text.contains(must.as_str().unwrap()), "{id}: {text}");
            }
            seat.presses_until("d", "its end", |seat| seat.shown().contains("is denied"));
            seat.gives_back(Some(3));
        } else {
            // Refused without a question.
            assert_ne!(seat.program.wait().unwrap().code(), Some(0), "{id}");
        }
        assert!(!world.path("pwned").exists(), "{id}");
    }
    assert!(asked >= 12, "{asked}");
}

#[test]
fn no_command_changes_what_a_person_sees_on_the_screen_of_all_requests() {
    let world = World::new(ASKS);
    let mut told = 0;
    for (id, args, prompt) in spoofs(&world) {
        let output = world
            .command(&["exec", "-o", "json", "--on-ask", "pending", &args.to_string()])
            .output()
            .unwrap();
        let got: Value = serde_json::from_slice(&output.stdout).unwrap();
        if got["code"] != "allowlist-miss" && got["status"] != "approval-pending" {
            continue;
        }
        told += 1;
        let (columns, rows) = (100, 30);
        let mut seat = Seat::take(&world.command_about(&["approvals", "watch"]), 100, 30);
        let request = got["details"]["approvalId"].as_str().unwrap();
        seat.sees(request);
        let mut text = String::new();
        seat.turns_until("\u{1b}[6~", "its end", |seat| {
            text.push_str(&detail(seat, columns, rows));
            text.contains("this run only, exactly as shown")
        });
        is_harmless(&id, &text, &prompt);
        assert!(text.contains("pwned"), "{id}: {text}");
        seat.presses_until("d", "nothing", |seat| {
            detail(seat, columns, rows).contains("nothing waits")
        });
        seat.types("q");
        seat.gives_back(Some(0));
    }
    assert!(told >= 12, "{told}");
}

#[test]
fn a_person_allows_what_is_shown_and_it_runs() {
    let world = World::new(ASKS);
    let mut seat = touch(&world, 80, 24);
    assert!(!world.path("work/hit").exists());
    seat.presses_until("a", "its end", |seat| seat.shown().contains("is allowed"));
    seat.gives_back(Some(0));
    assert!(world.path("work/hit").exists());
}

#[test]
fn pasted_text_and_keys_that_are_no_answer_answer_nothing() {
    let world = World::new(ASKS);
    let mut seat = touch(&world, 80, 24);
    for keys in [
        "\u{1b}[200~a\u{1b}[201~",
        "aa",
        "\u{1b}a",
        "\u{1b}[A",
        "xyz",
        "\r",
        "ä",
        "\u{4}",
    ] {
        seat.presses_until(keys, "the time", |_| true);
        std::thread::sleep(std::time::Duration::from_millis(700));
        assert!(!seat.shown().contains("is allowed"), "{keys:?}: {}", seat.shown());
    }
    seat.presses_until("?", "an explanation", |seat| seat.shown().contains("exactly as shown"));
    seat.presses_until("n", "its end", |seat| seat.shown().contains("is denied"));
    seat.gives_back(Some(3));
    assert!(!world.path("work/hit").exists());
}

#[test]
fn a_question_is_shown_again_where_the_terminal_gets_another_size() {
    let world = World::new(ASKS);
    let long = format!("touch hit; echo {}", "0123456789 ".repeat(60));
    let args = json!({"tool": "exec", "args": {"command": long}});
    let mut seat = Seat::take(&call(&world, &args), 80, 60);
    seat.sees("[a] once");
    let before = seat.shown().len();
    // What does not fit any more cannot be allowed before it was seen again.
    seat.resize(40, 10);
    seat.until("the question again", |shown| shown[before..].contains("more lines"));
    let again = seat.shown()[before..].to_owned();
    assert!(again.contains("toolctl asks") && !again.contains("[a] once"), "{again}");
    for row in joined(&again.replace("\n┊", "\n\n┊"))
        .split('\n')
        .filter(|row| !row.contains("\u{1b}[K"))
    {
        assert!(row.chars().count() <= 40, "{row:?}");
    }
    seat.presses_until("a", "nothing", |_| true);
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(!seat.shown().contains("is allowed"));
    seat.turns_until(" ", "its end", |seat| seat.shown()[before..].contains("[a] once"));
    seat.presses_until("a", "its end", |seat| seat.shown().contains("is allowed"));
    seat.gives_back(Some(0));
    assert!(world.path("work/hit").exists());
}

#[test]
fn who_interrupts_a_question_allows_nothing() {
    let world = World::new(ASKS);
    let mut seat = touch(&world, 120, 40);
    seat.presses_until("\u{3}", "its end", |seat| seat.shown().contains("interrupted"));
    seat.gives_back(Some(130));
    assert!(!world.path("work/hit").exists());
}

#[test]
fn one_question_waits_behind_another() {
    let world = World::new(ASKS);
    let mut first = touch(&world, 80, 24);
    let args = json!({"tool": "exec", "args": {"command": "touch second"}});
    let mut second = Seat::take(&call(&world, &args), 80, 24);
    for _ in 0..1500 {
        let listed = world.approvals(&["list", "-o", "name"]);
        if String::from_utf8_lossy(&listed.stdout).lines().count() == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(!second.shown().contains("[a] once"), "{}", second.shown());
    first.presses_until("d", "its end", |seat| seat.shown().contains("is denied"));
    first.gives_back(Some(3));
    second.sees("[a] once");
    second.presses_until("a", "its end", |seat| seat.shown().contains("is allowed"));
    second.gives_back(Some(0));
    assert!(world.path("work/second").exists() && !world.path("work/hit").exists());
}

#[test]
fn an_answer_on_the_screen_of_all_requests_is_for_the_one_that_is_selected() {
    let world = World::new(ASKS);
    let ask = |command: &str| {
        let got = world.call("exec", json!({"command": command}));
        got["details"]["approvalId"].as_str().unwrap().to_owned()
    };
    let (first, second) = (ask("touch one"), ask("touch two"));
    let mut seat = Seat::take(&world.command_about(&["approvals", "watch"]), 120, 40);
    let screen = |seat: &Seat| Screen::of(&seat.shown(), 120, 40).text();
    seat.until("both", |shown| {
        Screen::of(shown, 120, 40).text().contains(" 2 waiting ")
    });
    seat.sees(&first);
    seat.presses_until("d", "its end", |seat| screen(seat).contains("no request is selected"));
    // The next one is not selected by itself: a key that was meant for the first answers nothing.
    for _ in 0..3 {
        seat.types("a");
        std::thread::sleep(std::time::Duration::from_millis(700));
    }
    let waits = |id: &str| {
        let listed = world.approvals(&["list", "-o", "name"]);
        String::from_utf8_lossy(&listed.stdout).contains(id)
    };
    assert!(waits(&second));
    seat.turns_until("j", "the second", |seat| screen(seat).contains(&second));
    seat.presses_until("a", "nothing", |_| !waits(&second));
    seat.types("q");
    seat.gives_back(Some(0));
    let got = world.command(&["exec", "-o", "json", "--session", "s1", "--approval", &second]);
    let got = { got }.output().unwrap();
    assert!(got.status.success(), "{got:?}");
    assert!(world.path("work/two").exists() && !world.path("work/one").exists());
}
