//! Honest pages of many kinds come back readable: what is to be read is there, and what surrounds it is not.

use super::tests::{Server, get, what};
use encoding_rs::Encoding;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A page, and what must and must not be in what comes back.
struct Row {
    name: &'static str,
    kind: &'static str,
    body: Vec<u8>,
    headers: &'static str,
    there: &'static [&'static str],
    gone: &'static [&'static str],
}

fn row(name: &'static str, kind: &'static str, body: impl Into<Vec<u8>>, there: &'static [&'static str]) -> Row {
    Row {
        name,
        kind,
        body: body.into(),
        headers: "",
        there,
        gone: &[],
    }
}

impl Row {
    fn without(self, gone: &'static [&'static str]) -> Self {
        Self { gone, ..self }
    }

    fn headers(self, headers: &'static str) -> Self {
        Self { headers, ..self }
    }
}

fn html(name: &'static str, body: &str, there: &'static [&'static str]) -> Row {
    row(name, "text/html; charset=utf-8", body, there)
}

fn encoded(
    name: &'static str,
    charset: &'static str,
    kind: &'static str,
    text: &str,
    there: &'static [&'static str],
) -> Row {
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap();
    row(name, kind, encoding.encode(text).0.into_owned(), there)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut child = Command::new("gzip")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}

/// A text that is long enough to be the article of its page.
fn long(word: &str) -> String {
    format!("{word} ").repeat(60)
}

fn articles() -> Vec<Row> {
    let around = |inner: &str| {
        format!(
            "<!doctype html><html><head><title>T</title><script>var track=1</script><style>.a{{color:red}}</style></head><body>\
             <nav><a href=/>MENU</a></nav><header>SITE</header>{inner}<aside>ADS</aside><footer>IMPRINT</footer></body></html>"
        )
    };
    let noise: &[&str] = &["MENU", "ADS", "IMPRINT", "track=1", "color:red"];
    vec![
        html("news", &around(&format!("<article><h1>Headline</h1><p>{}</p><p>Second paragraph.</p></article>", long("news"))), &["# Headline", "Second paragraph."]).without(noise),
        html("documentation", &around(&format!("<main><h1>Install</h1><p>{}</p><pre><code class=\"language-sh\">cargo install x\n  --locked</code></pre></main>", long("docs"))), &["# Install", "cargo install x\n  --locked"]).without(noise),
        html("blog with teasers", &around(&format!("<article>one</article><article>two</article><p>{}</p>", long("post"))), &["one", "two", "post"]).without(noise),
        html("question and answers", &around(&format!("<main><h1>How?</h1><div class=q><p>{}</p></div><div class=a><p>Use <code>git bisect</code>.</p></div></main>", long("why"))), &["# How?", "`git bisect`"]).without(noise),
        html("no landmarks", "<html><body><div><div><p>Plain old page.</p></div></div></body></html>", &["Plain old page."]),
        html("table of values", "<table><tr><th>Name<th>Size</tr><tr><td>alpha</td><td>12</td></tr></table>", &["Name", "alpha", "12"]),
        html("nested lists", "<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>", &["one", "inner", "two"]),
        html("definitions", "<dl><dt>term</dt><dd>meaning of it</dd></dl>", &["term", "meaning of it"]),
        html("quotation", "<blockquote><p>To be</p></blockquote>", &["> To be"]),
        html("links", "<p>See <a href=\"https://x.org/a?b=c&amp;d=e\">the page</a>.</p>", &["[the page](https://x.org/a?b=c&d=e)"]),
        html("headings", "<h1>One</h1><h2>Two</h2><h3>Three</h3>", &["# One", "## Two", "### Three"]),
        html("ordered steps", "<ol><li>first<li>second<li>third</ol>", &["1.", "first", "third"]),
        html("emphasis", "<p><b>strong</b> and <i>soft</i> and <code>let x = 1;</code></p>", &["**strong**", "*soft*", "`let x = 1;`"]),
        html("image with a text", "<p><img src=a.png alt=\"a diagram\"> follows</p>", &["a diagram", "follows"]),
        html("references to characters", "<p>a &lt; b &amp;&amp; c &copy; &eacute; &#x2014; &Alpha;</p>", &["a < b && c © é — Α"]),
        html("upper case tags", "<HTML><BODY><P>Shouted page</P><SCRIPT>bad()</SCRIPT></BODY></HTML>", &["Shouted page"]).without(&["bad()"]),
        html("tags left open", "<p>first<p>second<li>third<td>fourth", &["first", "second", "third", "fourth"]),
        html("comments", "<p>seen<!-- hidden --> too</p>", &["seen", "too"]).without(&["hidden"]),
        html("a form between", "<p>before</p><form><input value=secretfield><button>SEND</button></form><p>after</p>", &["before", "after"]).without(&["SEND", "secretfield"]),
        html("details", "<details><summary>More</summary><p>the inside</p></details>", &["More", "the inside"]),
        html("a long line of code", &format!("<pre>{}</pre>", "x".repeat(5000)), &["xxxxxxxx"]),
    ]
}

fn others() -> Vec<Row> {
    let json = r#"{"name":"toolctl","versions":["1.0","1.1"],"nested":{"ü":true}}"#;
    vec![
        row(
            "json",
            "application/json",
            json,
            &["\"name\": \"toolctl\"", "\"ü\": true"],
        ),
        row(
            "json of a problem",
            "application/problem+json",
            r#"{"title":"no"}"#,
            &["\"title\": \"no\""],
        ),
        row(
            "lines of json",
            "application/x-ndjson",
            "{\"a\":1}\n{\"a\":2}\n",
            &["{\"a\":1}\n{\"a\":2}"],
        ),
        row(
            "plain text",
            "text/plain",
            "RFC 0000\n\n   Indented stays.\n",
            &["RFC 0000\n\n   Indented stays."],
        ),
        row(
            "markdown",
            "text/markdown",
            "# Title\n\n- <b>item</b>\n",
            &["# Title\n\n- <b>item</b>"],
        ),
        row("csv", "text/csv", "a,b\n1,2\n", &["a,b\n1,2"]),
        row("yaml", "application/yaml", "key:\n  - 1\n", &["key:\n  - 1"]),
        row("toml", "application/toml", "[package]\nname = \"x\"\n", &["[package]"]),
        row(
            "feed",
            "application/rss+xml",
            "<rss><item><title>News</title></item></rss>",
            &["<title>News</title>"],
        ),
        row(
            "source",
            "application/javascript",
            "export const x = 1;\n",
            &["export const x = 1;"],
        ),
        row("no kind, html", "", "<!DOCTYPE html><p>guessed</p>", &["guessed"]).without(&["<p>"]),
        row("no kind, text", "", "just words", &["just words"]),
        row(
            "xhtml",
            "application/xhtml+xml",
            "<?xml version=\"1.0\"?><html><body><p>strict page</p></body></html>",
            &["strict page"],
        ),
        encoded(
            "latin1 by header",
            "iso-8859-1",
            "text/html; charset=iso-8859-1",
            "<p>grüße à tous</p>",
            &["grüße à tous"],
        ),
        encoded(
            "windows-1252 by meta",
            "windows-1252",
            "text/html",
            "<meta charset=windows-1252><p>5 € “quoted”</p>",
            &["5 € “quoted”"],
        ),
        encoded(
            "shift_jis",
            "shift_jis",
            "text/html; charset=Shift_JIS",
            "<p>日本語のページ</p>",
            &["日本語のページ"],
        ),
        encoded(
            "gbk by meta",
            "gbk",
            "text/html",
            "<meta http-equiv=Content-Type content='text/html; charset=gbk'><p>中文网页</p>",
            &["中文网页"],
        ),
        encoded("euc-kr", "euc-kr", "text/plain; charset=euc-kr", "한국어", &["한국어"]),
        encoded(
            "koi8-r",
            "koi8-r",
            "text/html; charset=koi8-r",
            "<p>Привет, мир</p>",
            &["Привет, мир"],
        ),
        row(
            "utf-16 by its mark",
            "text/plain",
            [0xff, 0xfe, 0x57, 0x00, 0x6f, 0x00, 0x77, 0x00],
            &["Wow"],
        ),
        row("packed", "text/html", gzip("<p>packed page</p>"), &["packed page"]).headers("Content-Encoding: gzip\r\n"),
    ]
}

fn answer(row: &Row, chunked: bool) -> Vec<u8> {
    let mut all = format!("HTTP/1.1 200 OK\r\n{}Connection: close\r\n", row.headers).into_bytes();
    if !row.kind.is_empty() {
        all.extend(format!("Content-Type: {}\r\n", row.kind).into_bytes());
    }
    if chunked {
        all.extend(b"Transfer-Encoding: chunked\r\n\r\n");
        for chunk in row.body.chunks(7) {
            all.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            all.extend(chunk);
            all.extend(b"\r\n");
        }
        all.extend(b"0\r\n\r\n");
    } else {
        all.extend(format!("Content-Length: {}\r\n\r\n", row.body.len()).into_bytes());
        all.extend(&row.body);
    }
    all
}

#[test]
fn honest_pages_come_back_readable() {
    let rows: Vec<Row> = articles().into_iter().chain(others()).collect();
    assert!(rows.len() >= 40, "{}", rows.len());
    for row in &rows {
        for chunked in [false, true] {
            let server = Server::answering(answer(row, chunked));
            let url = format!("http://127.0.0.1:{}/page", server.port());
            let allow = [format!("127.0.0.1:{}", server.port())];
            let fetched =
                get(&what(&url, Some(&allow), true)).unwrap_or_else(|error| panic!("{}: {error:?}", row.name));
            let text = fetched.page.text.unwrap_or_default();
            for word in row.there {
                assert!(text.contains(word), "{}: `{word}` is missing in:\n{text}", row.name);
            }
            for word in row.gone {
                assert!(!text.contains(word), "{}: `{word}` is in:\n{text}", row.name);
            }
        }
    }
}
