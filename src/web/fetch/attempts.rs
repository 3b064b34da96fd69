//! `fixtures/web/attempts.jsonl`: attempts to reach what must not be reached. The network is the test's own: names have the
//! answers of the row, the one public address leads to a server that answers as the row says, and every other address leads
//! to a server that nothing may ask.

use super::tests::{ok, redirect, what};
use super::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

const PUBLIC: &str = "93.184.216.34";

#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    url: String,
    /// What each look-up of a name finds, the last for all that follow; other names are public.
    #[serde(default)]
    names: BTreeMap<String, Vec<Vec<IpAddr>>>,
    /// What the public server answers to a path: `STATUS LOCATION`, or the name of an answer.
    #[serde(default)]
    answers: BTreeMap<String, String>,
    /// Whether private addresses may be fetched.
    #[serde(default)]
    private: bool,
    /// Only with these hosts listed; else with none listed as well.
    allow: Option<Vec<String>>,
    /// Requests that the public server gets.
    #[serde(default)]
    asked: usize,
    /// `unreadable`, `refused`, `failed`, `timeout`, `cut` or `page`.
    end: String,
}

static PUBLIC_PORT: AtomicU16 = AtomicU16::new(0);
static INSIDE_PORT: AtomicU16 = AtomicU16::new(0);
static ROW: LazyLock<Mutex<Row>> = LazyLock::new(Mutex::default);
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
static INSIDE: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[expect(clippy::unnecessary_wraps, reason = "it stands in for the look-up of the system")]
fn look_up_here(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let mut row = ROW.lock().unwrap();
    let found = match row.names.get_mut(host) {
        Some(answers) if answers.len() > 1 => answers.remove(0),
        Some(answers) => answers[0].clone(),
        None => vec![PUBLIC.parse().unwrap()],
    };
    Ok(found.into_iter().map(|ip| SocketAddr::new(ip, port)).collect())
}

fn dial(judged: SocketAddr) -> SocketAddr {
    let is_public = judged.ip() == PUBLIC.parse::<IpAddr>().unwrap();
    let port = if is_public { &PUBLIC_PORT } else { &INSIDE_PORT };
    SocketAddr::from(([127, 0, 0, 1], port.load(Ordering::SeqCst)))
}

fn serve(heard: &'static Mutex<Vec<String>>, answer: fn(&str, &mut TcpStream) -> io::Result<()>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            thread::spawn(move || {
                let (mut request, mut byte) = (Vec::new(), [0]);
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
                    request.push(byte[0]);
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                heard.lock().unwrap().push(request);
                let _ = answer(&path, &mut stream);
            });
        }
    });
    port
}

/// Zeros, packed.
fn bomb(times: usize) -> Vec<u8> {
    let pack = |file: Stdio, script: &str| {
        let packed = Command::new("sh").args(["-c", script]).stdin(file).output().unwrap();
        packed.stdout
    };
    let script = [
        "head -c 100000000 /dev/zero | gzip -9",
        "head -c 100000000 /dev/zero | gzip -9 | gzip -9",
    ];
    pack(Stdio::null(), script[times - 1])
}

fn answer(path: &str, stream: &mut TcpStream) -> io::Result<()> {
    let named = {
        let row = ROW.lock().unwrap();
        row.answers.get(path).or_else(|| row.answers.get("*")).cloned()
    };
    let Some(named) = named else {
        return stream.write_all(&ok("text/html", b"<p>a public page</p>"));
    };
    let page = |html: &str| ok("text/html", html.as_bytes());
    let head = |more: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n{more}\r\n");
    let with = |more: &str| format!("{}<p>a public page</p>", head(more)).into_bytes();
    if let Some((status, location)) = named.split_once(' ') {
        return stream.write_all(&redirect(status.parse().unwrap(), location));
    }
    let all = match &*named {
        "next" => {
            let n: u64 = path.trim_matches('/').parse().unwrap();
            redirect(302, &format!("/{}", n + 1))
        }
        "meta-refresh" => page("<meta http-equiv=refresh content=\"0; url=http://127.0.0.1/\"><p>page</p>"),
        "refresh-header" => with("Refresh: 0; url=http://127.0.0.1/\r\n"),
        "content-location" => with("Content-Location: http://127.0.0.1/\r\nLink: <http://127.0.0.1/>; rel=preload\r\n"),
        "script" => page("<script>location='http://127.0.0.1/'</script><p>page</p>"),
        "frame" => page("<iframe src=http://127.0.0.1/></iframe><img src=http://127.0.0.1/x><p>page</p>"),
        "base" => page("<base href=http://127.0.0.1/><link rel=stylesheet href=x.css><p>page</p>"),
        "cookie" => {
            let head =
                "HTTP/1.1 302 x\r\nLocation: /x\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            head.as_bytes().to_vec()
        }
        "bomb" => [head("Content-Encoding: gzip\r\n").into_bytes(), bomb(1)].concat(),
        "bomb-twice" => [head("Content-Encoding: gzip, gzip\r\n").into_bytes(), bomb(2)].concat(),
        "broken-chunks" => format!("{}zz\r\nx", head("Transfer-Encoding: chunked\r\n")).into_bytes(),
        "endless-body" => return endlessly(stream, &head(""), &"x".repeat(4096), 0),
        "endless-headers" => return endlessly(stream, "HTTP/1.1 200 OK\r\n", &"X: y\r\n".repeat(500), 0),
        "silent" => return endlessly(stream, "", "", 100),
        "slow-headers" => return endlessly(stream, "HTTP/1.1 200 OK\r\nX: ", "y", 20),
        "slow-body" => return endlessly(stream, &head("Content-Length: 100000\r\n"), "y", 20),
        other => panic!("no answer is called `{other}`"),
    };
    stream.write_all(&all)
}

/// Sends the same again and again, for as long as anybody listens, and for a minute at most.
fn endlessly(stream: &mut TcpStream, first: &str, more: &str, pause_ms: u64) -> io::Result<()> {
    let until = Instant::now() + Duration::from_secs(60);
    stream.write_all(first.as_bytes())?;
    while Instant::now() < until {
        stream.write_all(more.as_bytes())?;
        thread::sleep(Duration::from_millis(pause_ms));
    }
    Ok(())
}

/// How an attempt ends.
fn end_of(row: &Row, allow: Option<&[String]>) -> &'static str {
    let Ok(target) = Target::parse(&row.url) else {
        return "unreadable";
    };
    let mut what = what("http://good.org/", allow, row.private);
    what.target = target;
    if row.end == "timeout" {
        what.timeout = Duration::from_millis(300);
    }
    let network = Network {
        lookup: look_up_here,
        dial,
    };
    match fetch_by(&what, network, &|| false) {
        Ok(fetched) if fetched.cut && fetched.bytes as u64 == what.max_bytes => "cut",
        Ok(_) => "page",
        Err(WebFault::Refused(_)) => "refused",
        Err(WebFault::Failed(_)) => "failed",
        Err(WebFault::TimedOut) => "timeout",
        Err(WebFault::Cancelled) => "cancelled",
    }
}

#[test]
fn no_attempt_reaches_what_it_must_not() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/web/attempts.jsonl")).unwrap();
    let rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() >= 120, "{}", rows.len());
    PUBLIC_PORT.store(serve(&HEARD, answer), Ordering::SeqCst);
    let inside = serve(&INSIDE, |_, stream| stream.write_all(&ok("text/plain", b"secret")));
    INSIDE_PORT.store(inside, Ordering::SeqCst);
    for row in &rows {
        let every = vec!["*".to_owned()];
        let lists = match &row.allow {
            Some(list) => vec![Some(list.clone())],
            None => vec![None, Some(every)],
        };
        for allow in lists {
            *ROW.lock().unwrap() = row.clone();
            HEARD.lock().unwrap().clear();
            let end = end_of(row, allow.as_deref());
            let heard = HEARD.lock().unwrap().clone();
            let (kind, url, answers) = (&row.kind, &row.url, &row.answers);
            let name = format!("{kind}: {url} {answers:?} allow {allow:?}");
            assert_eq!(*INSIDE.lock().unwrap(), Vec::<String>::new(), "{name}");
            assert_eq!((end, heard.len()), (&*row.end, row.asked), "{name}: {heard:?}");
            for request in heard {
                let lower = request.to_lowercase();
                for header in ["\r\nx-evil", "\r\ncookie", "\r\nauthorization", "\r\nreferer"] {
                    assert!(!lower.contains(header), "{name}: {request}");
                }
                let line: Vec<&str> = request.lines().next().unwrap_or_default().split(' ').collect();
                assert!(matches!(*line, ["GET", _, "HTTP/1.1"]), "{name}: {request}");
            }
        }
    }
    // The server inside does hear what may reach it.
    let mut reached = rows[0].clone();
    (reached.url, reached.private) = ("http://127.0.0.1/".to_owned(), true);
    assert_eq!((end_of(&reached, None), INSIDE.lock().unwrap().len()), ("page", 1));
}
