//! What rows say of servers that stay, of files that `find` hands on, of patterns, directories and modules.

use super::effects::{assert_all, bench, judge};
use crate::model::Verdict;
use serde_json::json;

#[test]
fn a_server_that_stays_is_asked_about() {
    let bench = bench();
    let stays = [
        "docker run -d nginx",
        "docker run --detach --name x nginx",
        "docker container run -d nginx",
        "docker compose up -d",
        "docker create nginx",
        "redis-server --daemonize yes",
        "redis-server x.conf",
        "nginx",
        "nginx -g 'daemon on;'",
        "ssh -f -N h",
        "ssh -fNL 1:h:2 h",
        "ssh -M -N h",
        "screen -dm sleep 9",
        "screen -d -m sleep 9",
        "tmux new -d 'sleep 9'",
        "tmux new-session -d",
        "pg_ctl -D d start",
        "memcached -d",
        "curl -s http://h | redis-server -",
        "if true; then nginx; fi",
        "echo x | xargs docker run -d",
    ];
    for may in [
        None,
        Some(&["reads", "writes", "connects", "publishes", "destroys"][..]),
    ] {
        assert_all(&bench, may, Verdict::Ask, &stays);
    }
}

#[test]
fn what_acts_through_a_service_needs_a_grant_that_connects() {
    let bench = bench();
    let acts = [
        "docker stop web",
        "docker start web",
        "docker restart web",
        "docker compose stop",
    ];
    assert_all(&bench, None, Verdict::Allow, &acts);
    assert_all(&bench, Some(&["connects"]), Verdict::Allow, &acts);
    assert_all(&bench, Some(&["reads"]), Verdict::Ask, &acts);
    assert_all(&bench, Some(&["writes"]), Verdict::Ask, &acts);
    let destroys = [
        "docker rm -f web",
        "docker rmi web",
        "git restore .",
        "git restore a.txt",
        "git checkout -- .",
        "git checkout .",
        "git checkout HEAD -- a.txt",
        "git read-tree --reset -u HEAD",
        "git checkout-index -f -a",
        "git stash drop",
    ];
    assert_all(&bench, None, Verdict::Ask, &destroys);
    assert_all(
        &bench,
        None,
        Verdict::Allow,
        &["git restore --staged a.txt", "git checkout main"],
    );
    assert_all(
        &bench,
        Some(&["reads"]),
        Verdict::Allow,
        &["docker ps", "docker logs web", "tmux ls"],
    );
}

#[test]
fn what_find_hands_to_a_writer_is_judged_below_its_start() {
    let bench = bench();
    bench.put(&json!({"path": "work/.git/HEAD", "content": "ref: refs/heads/main\n"}));
    let fine = [
        "find . -name '*.go' -exec gofmt -s -w {} +",
        "find src -name '*.pyc' -exec rm {} +",
        "find src -name '*.go' -exec gofmt -w {} ';'",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
    bench.put(&json!({"path": "work/.git/config", "content": ""}));
    bench.put(&json!({"path": "work/sub/.vscode/settings.json", "content": "{}"}));
    bench.put(&json!({"path": "work/src/config", "content": ""}));
    let held = [
        "find . -name config -exec rm {} ';'",
        "find . -name '*fig' -exec rm {} ';'",
        "find . -name config -delete",
        "find . -name '*.json' -exec gofmt -w {} +",
        "find sub -name '*.json' -delete",
    ];
    assert_all(&bench, None, Verdict::Ask, &held);
    assert_all(&bench, None, Verdict::Allow, &["find src -name config -exec rm {} ';'"]);
    let asks = [
        "find -L src -name '*.go' -exec gofmt -w {} +",
        "find src -exec rm {} +",
        "find . -exec gofmt -w {} +",
        "find src -name '*' -exec rm {} +",
        "find src -name '*.go' -o -name x -exec rm {} ';'",
        "find ${ROOT}/out -name '*.go' -exec gofmt -w {} +",
        "find .. -name '*.go' -exec gofmt -w {} +",
        "find src -name '*.go' -exec rm {}/../../../x ';'",
    ];
    assert_all(&bench, None, Verdict::Ask, &asks);
    let obeyed = ["find .git -name '*.go' -exec rm {} +"];
    assert_all(&bench, None, Verdict::Deny, &obeyed);
}

#[test]
fn patterns_stand_for_no_hidden_names() {
    let bench = bench();
    bench.put(&json!({"path": "work/.git/x.pyc", "content": ""}));
    bench.put(&json!({"path": "work/src/x.pyc", "content": ""}));
    let fine = [
        "rm -f *.pyc */*.pyc",
        "for f in *; do rm \"./$f\"; done",
        "rm -rf */.cache",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
    let obeyed = [
        "rm -f .*/*.pyc",
        "shopt -s dotglob; rm -f */*.pyc",
        "rm -rf .g*",
        "GLOBIGNORE=x; rm -f */*.pyc",
    ];
    for command in obeyed {
        let verdict = judge(&bench, None, command).verdict;
        assert_ne!(verdict, Verdict::Allow, "{command}");
    }
}

#[test]
fn a_directory_may_be_named_with_a_slash() {
    let bench = bench();
    let fine = ["ruff check src/", "ruff check --fix src/ ./", "ruff format src/"];
    assert_all(&bench, None, Verdict::Allow, &fine);
    let asks = ["ruff check ../", "ruff check --fix ${ROOT}/out/"];
    assert_all(&bench, None, Verdict::Ask, &asks);
    assert_all(&bench, None, Verdict::Deny, &["ruff check --fix .git/"]);
}

#[test]
fn a_module_that_is_a_program_needs_the_grant_of_that_program() {
    let bench = bench();
    let fine = [
        "python3 -m pip install black==24.1.1",
        "python3 -m pip list",
        "python3 -m site",
    ];
    assert_all(&bench, None, Verdict::Allow, &fine);
    let asks = [
        "python3 -m pip install ./x",
        "python3 -m pip --python x list",
        "python3 -mpip install black",
        "python3 -m twine upload dist/x",
        "python3 -m bash -c x",
        "python3 -m find . -delete",
        "python3 -m code",
    ];
    assert_all(&bench, None, Verdict::Ask, &asks);
}
