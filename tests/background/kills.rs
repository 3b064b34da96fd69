//! Who runs a command is killed, and what the command has started is killed with it: children, what has left their session,
//! what nobody has waited for.

use crate::world::*;
use serde_json::json;
use std::path::Path;

/// Starts one process of each kind; each writes its number down. The last one is the command itself.
const ALL: &str = "sh -c 'echo $$ > child; exec sleep 1000' & \
    setsid sh -c 'echo $$ > session; exec sleep 1000' & \
    sh -c 'setsid sh -c \"echo \\$\\$ > twice; exec sleep 1000\" & exit' & \
    echo $PPID > runner; echo $$ > own; wait; exec sleep 1000";
const NAMES: [&str; 4] = ["child", "session", "twice", "own"];

const FREE: &str = "tools: {exec: {security: full, ask: off}}\n";
const FLOOR: &str = "tools: {exec: {security: full, ask: off, floor: require}}\n";
/// Nobody could follow a command, so it is run by the process that was called.
const ALONE: &str = "tools: {deny: [process], exec: {security: full, ask: off}}\n";

/// Starts everything; the numbers of what runs.
fn begin(world: &World) -> (std::process::Child, Vec<i32>, i32) {
    let starter = spawn(world, &json!({"command": ALL}));
    let numbers = NAMES.map(|name| number(&world.path("work").join(name))).to_vec();
    (starter, numbers, number(&world.path("work/runner")))
}

/// Whether this process may make control groups: then nothing gets away whatever is killed.
fn has_cgroups() -> bool {
    let listed = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let Some(own) = listed.lines().find_map(|line| line.strip_prefix("0::/")) else {
        return false;
    };
    ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].iter().any(|mount| {
        let own = Path::new(mount).join(own);
        let probe = own.join(format!("probe-{}", std::process::id()));
        own.join("cgroup.procs").exists()
            && std::fs::create_dir(&probe).is_ok_and(|()| {
                let kills = probe.join("cgroup.kill").exists();
                std::fs::remove_dir(&probe).unwrap();
                kills
            })
    })
}

#[test]
fn what_runs_ends_with_the_starter_that_is_killed() {
    for config in [FREE, FLOOR] {
        let world = World::new(config);
        let (mut starter, numbers, runner) = begin(&world);
        starter.kill().unwrap();
        starter.wait().unwrap();
        numbers.into_iter().chain([runner]).for_each(gone);
    }
}

#[test]
fn what_runs_ends_with_the_runner_that_is_killed() {
    for config in [FREE, FLOOR] {
        let world = World::new(config);
        let (starter, numbers, runner) = begin(&world);
        kill(runner);
        assert_eq!(starter.wait_with_output().unwrap().status.code(), Some(1));
        numbers.into_iter().for_each(gone);
    }
}

#[test]
fn the_command_itself_ends_with_both_and_the_rest_of_it_with_the_next_one() {
    for config in [FREE, FLOOR, ALONE] {
        let world = World::new(config);
        let (mut starter, numbers, runner) = begin(&world);
        kill(runner);
        // It has ended already where both are one.
        let _ = starter.kill();
        starter.wait().unwrap();
        let mut numbers = numbers.into_iter().rev();
        gone(numbers.next().unwrap());
        if !has_cgroups() {
            eprintln!("skipped: no control group can be made here");
            for left in numbers.filter(|pid| alive(*pid)) {
                kill(left);
            }
            continue;
        }
        // Nobody is left who knows of them; the next command finds what they belong to.
        world.call("exec", json!({"command": "sleep 0"}));
        numbers.for_each(gone);
    }
}

#[test]
fn what_is_replaced_all_the_time_is_ended_with_its_command() {
    for config in [FREE, FLOOR, ALONE] {
        if config == ALONE && !has_cgroups() {
            eprintln!("skipped: no control group can be made here");
            continue;
        }
        let world = World::new(config);
        // Each process lives for a moment, and starts the next one before it ends.
        let got = world.call(
            "exec",
            json!({"command": "set -m; f() { trap '' TERM; test -e stop && exit; echo > beat; f & }; f > /dev/null 2>&1 < /dev/null & sleep 0.2; echo done"}),
        );
        assert!(text(&got).ends_with("done"), "{got}");
        assert!(got["warnings"].to_string().contains("were killed"), "{got}");
        let beat = world.path("work/beat");
        // A last one may have been on its way.
        std::fs::remove_file(&beat).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(!beat.exists(), "{config}");
        std::fs::write(world.path("work/stop"), "").unwrap();
    }
}
