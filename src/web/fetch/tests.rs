use super::super::rules::HostPattern;
use super::*;
use std::io::Write as _;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server on loopback; what it was asked stands in `heard`.
pub(super) struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

/// What is answered to a path; `{port}` stands for the server's own.
type Answer = Box<dyn Fn(&str) -> Vec<u8> + Send>;

impl Server {
    fn new(answer: fn(&str) -> Vec<u8>) -> Self {
        Self::with(Box::new(answer))
    }

    /// One that answers everything so.
    pub(super) fn answering(bytes: Vec<u8>) -> Self {
        Self::with(Box::new(move |_| bytes.clone()))
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    fn with(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
                    request.push(byte[0]);
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                told.lock().unwrap().push(request);
                let answer = answer(&path);
                let whole = String::from_utf8(answer.clone())
                    .map(|text| text.replace("{port}", &port.to_string()).into_bytes())
                    .unwrap_or(answer);
                let _ = stream.write_all(&whole);
            }
        });
        Self { port, heard }
    }

    fn asked(&self) -> usize {
        self.heard.lock().unwrap().len()
    }
}

pub(super) fn ok(kind: &str, body: &[u8]) -> Vec<u8> {
    let mut all = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    all.extend_from_slice(body);
    all
}

pub(super) fn redirect(status: u16, location: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} x\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .into_bytes()
}

pub(super) fn what(url: &str, allow: Option<&[String]>, private: bool) -> Fetch {
    Fetch {
        target: Target::parse(url).unwrap(),
        rules: HostRules {
            allow: allow.map(|list| list.iter().map(|p| HostPattern::parse(p).unwrap()).collect()),
            deny: Vec::new(),
            private,
        },
        max_bytes: 1 << 20,
        max_redirects: 5,
        timeout: Duration::from_secs(20),
        markdown: true,
    }
}

pub(super) fn get(what: &Fetch) -> Result<Fetched, WebFault> {
    fetch(what, &|| false)
}

#[test]
fn nothing_of_this_machine_is_reached_by_any_spelling() {
    let server = Server::new(|_| ok("text/plain", b"secret"));
    let port = server.port;
    let mut tried = 0;
    let hosts = [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "0.0.0.0",
        "0",
        "127.0.0.2",
        "127.255.255.254",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "x.localhost",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "user@127.0.0.1",
        "good.org@127.0.0.1",
        "good.org:80@127.0.0.1",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "127.0.0.1%20",
        "127.0.0.1%00.good.org",
        "loc%61lhost",
    ];
    for host in hosts {
        for scheme in ["http", "https", "HTTP"] {
            for allow in [
                None,
                Some(vec!["*".to_owned(), format!("*:{port}"), format!("{host}:{port}")]),
            ] {
                tried += 1;
                let Ok(target) = Target::parse(&format!("{scheme}://{host}:{port}/")) else {
                    continue;
                };
                let allow: Option<Vec<HostPattern>> =
                    allow.map(|list| list.iter().filter_map(|p| HostPattern::parse(p).ok()).collect());
                let mut what = what("http://good.org/", None, false);
                what.target = target;
                what.rules.allow = allow;
                assert!(matches!(get(&what), Err(WebFault::Refused(_))), "{scheme} {host}");
            }
        }
    }
    assert!(tried > 150, "{tried}");
    assert_eq!(server.asked(), 0);
}

#[test]
fn a_name_is_looked_up_once_and_every_address_is_judged() {
    static LOOKED: AtomicUsize = AtomicUsize::new(0);
    let server = Server::new(|_| ok("text/plain", b"here"));
    // The first answer is public, any further one is loopback: a name that is bound anew.
    let rebinding: Lookup = |_, port| {
        let n = LOOKED.fetch_add(1, Ordering::SeqCst);
        let address = if n == 0 { "203.0.114.1" } else { "127.0.0.1" };
        Ok(vec![SocketAddr::new(address.parse().unwrap(), port)])
    };
    let mut call = what(
        &format!("http://rebinds.org:{}/", server.port),
        Some(&[format!("*:{}", server.port)]),
        false,
    );
    call.timeout = Duration::from_millis(700);
    assert!(fetch_by(&call, Network::new(rebinding), &|| false).is_err());
    assert_eq!((LOOKED.load(Ordering::SeqCst), server.asked()), (1, 0));

    let mixed: Lookup = |_, port| {
        let all = ["1.1.1.1", "127.0.0.1"];
        Ok(all.map(|text| SocketAddr::new(text.parse().unwrap(), port)).to_vec())
    };
    let private: Lookup = |_, port| Ok(vec![SocketAddr::new("127.0.0.1".parse().unwrap(), port)]);
    let mapped: Lookup = |_, port| Ok(vec![SocketAddr::new("::ffff:127.0.0.1".parse().unwrap(), port)]);
    let none: Lookup = |_, _| Ok(Vec::new());
    for lookup in [mixed, private, mapped, none] {
        assert!(fetch_by(&call, Network::new(lookup), &|| false).is_err());
    }
    assert_eq!(server.asked(), 0);
    // The name is connected to where it was judged, and asked for by its name.
    call.rules.private = true;
    call.timeout = Duration::from_secs(20);
    let fetched = fetch_by(&call, Network::new(private), &|| false).unwrap();
    assert_eq!(fetched.page.text.as_deref(), Some("here"));
    let heard = server.heard.lock().unwrap()[0].to_lowercase();
    assert!(heard.contains(&format!("host: rebinds.org:{}", server.port)), "{heard}");
    assert!(!heard.contains("cookie") && !heard.contains("authorization"), "{heard}");
}

#[test]
fn every_redirect_is_judged() {
    let server = Server::new(|path| match path {
        "/loop" => redirect(302, "/loop"),
        "/file" => redirect(302, "file:///etc/passwd"),
        "/user" => redirect(302, "http://a:b@127.0.0.1:{port}/x"),
        "/meta" => redirect(307, "http://169.254.169.254/latest/meta-data/"),
        "/zero" => redirect(301, "http://0.0.0.0:{port}/x"),
        "/mapped" => redirect(308, "http://[::ffff:127.0.0.1]:{port}/x"),
        "/decimal" => redirect(302, "http://2130706433:{port}/x"),
        "/other" => redirect(302, "http://127.0.0.2:{port}/x"),
        "/port" => redirect(303, "http://127.0.0.1:1/x"),
        "/inject" => redirect(302, "/x%0d%0aX-Evil: 1"),
        "/fine" => redirect(302, "end?x=y"),
        _ => ok("text/html", b"<p>the end</p>"),
    });
    let port = server.port;
    let base = format!("http://127.0.0.1:{port}");
    let allow = [format!("127.0.0.1:{port}")];
    for (path, hops) in [
        ("/loop", 6),
        ("/file", 1),
        ("/user", 1),
        ("/meta", 1),
        ("/zero", 1),
        ("/mapped", 1),
        ("/decimal", 1),
        ("/other", 1),
        ("/port", 1),
    ] {
        let before = server.asked();
        let answer = get(&what(&format!("{base}{path}"), Some(&allow), true));
        assert!(
            matches!(answer, Err(WebFault::Refused(_) | WebFault::Failed(_))),
            "{path}: {answer:?}"
        );
        assert_eq!(server.asked() - before, hops, "{path}");
    }
    let fetched = get(&what(&format!("{base}/fine"), Some(&allow), true)).unwrap();
    assert_eq!(fetched.from.to_string(), format!("{base}/end?x=y"));
    assert_eq!(fetched.page.text.as_deref(), Some("the end"));
    get(&what(&format!("{base}/inject"), Some(&allow), true)).unwrap();
    let last = server.heard.lock().unwrap().last().unwrap().clone();
    assert!(!last.to_lowercase().contains("\r\nx-evil"), "{last}");
    let mut none = what(&format!("{base}/fine"), Some(&allow), true);
    none.max_redirects = 0;
    assert!(get(&none).is_err());
}

#[test]
fn answers_are_bounded() {
    /// Two hundred megabytes of zeros, packed.
    fn bomb() -> Vec<u8> {
        let packed = std::process::Command::new("sh")
            .args(["-c", "head -c 200000000 /dev/zero | gzip -9"])
            .output()
            .unwrap();
        let mut all =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
                .to_vec();
        all.extend(packed.stdout);
        all
    }
    let server = Server::new(|path| match path {
        "/bomb" => bomb(),
        "/long" => ok("text/plain", &b"x".repeat(3 << 20)),
        "/headers" => b"HTTP/1.1 200 OK\r\n"
            .iter()
            .copied()
            .chain(b"X: y\r\n".repeat(1 << 18))
            .collect(),
        "/short" => b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx".to_vec(),
        "/none" => Vec::new(),
        "/slow" => {
            thread::sleep(Duration::from_secs(4));
            ok("text/plain", b"late")
        }
        _ => b"nonsense\r\n\r\n".to_vec(),
    });
    let base = format!("http://127.0.0.1:{}", server.port);
    let call = |path: &str| {
        what(
            &format!("{base}{path}"),
            Some(&[format!("127.0.0.1:{}", server.port)]),
            true,
        )
    };
    for path in ["/bomb", "/long"] {
        let fetched = get(&call(path)).unwrap();
        assert!(fetched.cut && fetched.bytes == 1 << 20, "{path}: {}", fetched.bytes);
    }
    for path in ["/headers", "/short", "/none", "/nonsense"] {
        assert!(matches!(get(&call(path)), Err(WebFault::Failed(_))), "{path}");
    }
    // Nothing of this asks how long it took: it ends although the server does not answer.
    let mut slow = call("/slow");
    slow.timeout = Duration::from_millis(200);
    assert_eq!(get(&slow), Err(WebFault::TimedOut));
    assert_eq!(fetch(&call("/slow"), &|| true), Err(WebFault::Cancelled));
}
