use crate::model::Block;
use crate::tool::file::bench::{Bench, args, text_of};
use crate::tool::file::read;
use crate::tool::{ToolError, ToolResult};
use serde_json::{Value, json};
use std::io::{Seek, SeekFrom, Write};

fn run(bench: &Bench, value: Value) -> Result<ToolResult, ToolError> {
    read(&bench.files(), &args(value))
}

#[track_caller]
fn shows(bench: &Bench, value: Value) -> String {
    text_of(&run(bench, value).unwrap())
}

/// The plain way to say what should be shown, for comparison.
fn model(content: &str, offset: usize, limit: usize) -> String {
    let pieces: Vec<&str> = content.split('\n').collect();
    let start = offset - 1;
    let end = (start + limit).min(pieces.len());
    let text = pieces[start..end].join("\n");
    if end < pieces.len() {
        let left = pieces.len() - end;
        let next = end + 1;
        return format!("{text}\n\n[{left} more lines in file. Use offset={next} to continue.]");
    }
    text
}

#[test]
fn any_window_shows_exactly_its_lines() {
    let bench = Bench::new();
    for content in ["", "\n", "a", "a\n", "a\nb\n\n", "\n\n\n", "é\r\nx\n"] {
        bench.put("f", content);
        let pieces = content.split('\n').count();
        for offset in 1..=pieces {
            for limit in 1..=pieces + 1 {
                let shown = shows(&bench, json!({"path": "f", "offset": offset, "limit": limit}));
                assert_eq!(shown, model(content, offset, limit), "{content:?} {offset} {limit}");
            }
        }
        let error = run(&bench, json!({"path": "f", "offset": pieces + 1})).unwrap_err();
        assert!(error.message.contains(&format!("({pieces} lines total)")), "{error}");
    }
}

#[test]
fn a_long_read_has_no_gaps() {
    let bench = Bench::new();
    let content = (1..=9000).fold(String::new(), |text, n| text + &n.to_string() + "\n");
    bench.put("f", &content);
    let mut seen = String::new();
    let mut offset = 1;
    loop {
        let text = shows(&bench, json!({"path": "f", "offset": offset}));
        let Some((page, notice)) = text.split_once("\n\n[Showing") else {
            seen.push_str(&text);
            break;
        };
        seen.push_str(page);
        seen.push('\n');
        let next = notice.split("offset=").nth(1).unwrap().split(' ').next().unwrap();
        offset = next.parse().unwrap();
    }
    assert_eq!(seen, content);
}

#[test]
fn a_line_too_long_says_how_to_go_on_after_it() {
    let bench = Bench::new();
    bench.put("a b", format!("first\n{}\nthird\n", "b".repeat(60_000)));
    let text = shows(&bench, json!({"path": "a b"}));
    assert!(text.starts_with("first\n\n[Line 2 is 58.6KB"), "{text}");
    assert!(text.contains("offset=3") && text.contains("'a b'"), "{text}");
    assert_eq!(shows(&bench, json!({"path": "a b", "offset": 3})), "third\n");
    let result = run(&bench, json!({"path": "a b", "offset": 2})).unwrap();
    assert_eq!(result.details["truncation"]["firstLineExceedsLimit"], true);
    assert_eq!(result.details["truncation"]["totalLines"], 4);
}

#[test]
fn odd_numbers_are_said_to_be_odd_or_rounded() {
    let bench = Bench::new();
    bench.put("f", "1\n2\n3\n");
    assert!(run(&bench, json!({"path": "f", "limit": -1})).is_err());
    assert!(run(&bench, json!({"path": "f", "limit": "1"})).is_err());
    assert_eq!(
        shows(&bench, json!({"path": "f", "limit": 0})),
        "[4 more lines in file. Use offset=1 to continue.]"
    );
    assert!(shows(&bench, json!({"path": "f", "limit": 0.5})).starts_with("1\n"));
    assert_eq!(shows(&bench, json!({"path": "f", "offset": 2.9})), "2\n3\n");
    assert_eq!(shows(&bench, json!({"path": "f", "offset": -7})), "1\n2\n3\n");
    assert!(run(&bench, json!({"path": "f", "offset": u64::MAX})).is_err());
}

#[test]
fn binary_files_are_refused_and_text_in_other_encodings_is_shown() {
    let bench = Bench::new();
    let mut binary = b"\x7fELF\x02\x01\x01\0".to_vec();
    binary.resize(4096, 0);
    bench.put("bin", &binary);
    let error = run(&bench, json!({"path": "bin"})).unwrap_err();
    assert!(error.message.contains("binary"), "{error}");
    bench.put("small", b"\0\xffABC\n");
    assert!(shows(&bench, json!({"path": "small"})).contains("ABC"));
    let wide: Vec<u8> = "\u{feff}déjà\nvu\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bench.put("wide", &wide);
    assert_eq!(shows(&bench, json!({"path": "wide"})), "déjà\nvu\n");
    let wide: Vec<u8> = "\u{feff}x\ny".encode_utf16().flat_map(u16::to_be_bytes).collect();
    bench.put("wide", &wide);
    assert_eq!(shows(&bench, json!({"path": "wide", "offset": 2})), "y");
    bench.put("latin", b"caf\xe9\n");
    let result = run(&bench, json!({"path": "latin"})).unwrap();
    assert_eq!(text_of(&result), "caf\u{fffd}\n");
    assert_eq!(result.details["encoding"], "invalid-utf-8");
}

fn wide_png() -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let pixels = ::image::GrayImage::new(3000, 2);
    pixels.write_to(&mut out, ::image::ImageFormat::Png).unwrap();
    out.into_inner()
}

#[test]
fn an_image_too_large_is_resized_or_omitted() {
    let bench = Bench::new();
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend(3000u32.to_be_bytes());
    png.extend(10u32.to_be_bytes());
    png.extend([8, 6, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]);
    png.extend(b"IDAT");
    bench.put("big.png", &png);
    let result = run(&bench, json!({"path": "big.png"})).unwrap();
    assert!(
        matches!(result.content.as_slice(), [Block::Text(text)] if text.contains("omitted") && text.contains("image/png"))
    );
    bench.put("wide.png", wide_png());
    let result = run(&bench, json!({"path": "wide.png"})).unwrap();
    let [Block::Text(text), Block::Image { mime_type, .. }] = result.content.as_slice() else {
        panic!("{:?}", result.content)
    };
    assert!(
        text.ends_with(
            "[Image: original 3000x2, displayed at 2000x1. Multiply coordinates by 1.50 to map to original image.]"
        ),
        "{text}"
    );
    assert_eq!(mime_type, "image/png");
}

#[test]
fn special_files_do_not_hang() {
    let bench = Bench::new();
    nix::unistd::mkfifo(&bench.at("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(
        run(&bench, json!({"path": "fifo"})).unwrap_err().code.as_str(),
        "path-escape"
    );
    let open = read(&bench.open_files(), &args(json!({"path": "/dev/zero"})));
    assert_eq!(open.unwrap_err().code.as_str(), "path-escape");
}

#[test]
fn a_file_of_many_gigabytes_is_streamed() {
    let bench = Bench::new();
    let mut file = std::fs::File::create(bench.at("huge")).unwrap();
    writeln!(file, "first").unwrap();
    file.write_all("x\n".repeat(6000).as_bytes()).unwrap();
    file.seek(SeekFrom::Start(5 << 30)).unwrap();
    file.write_all(b"end\n").unwrap();
    let text = shows(&bench, json!({"path": "huge", "offset": 1, "limit": 2}));
    assert_eq!(
        text,
        "first\nx\n\n[More lines follow in file. Use offset=3 to continue.]"
    );
}
