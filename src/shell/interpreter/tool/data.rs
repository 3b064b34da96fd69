//! Files and data: archives, searches, pagers, data bases.

use super::super::program::{plus_operand, reversing, script_operand, sql_operand};
use super::super::{GUARDED, LANGUAGE, Operand, Row, TOOL};
use crate::shell::option::{Abbreviation, Dash};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["tar", "gtar", "bsdtar", "star"],
        spec: "checkpoint-action:!run to-command:!run I:|use-compress-program:!compress F:|info-script:|new-volume-script:!run rsh-command:!run rmt-command:!run \
               checkpoint:: index-file:!write volno-file:!write listed-incremental:!write files-from:!config T:!config f:|file:!remote b: C: K: L: N: V: X: g:!write H: exclude: directory: transform: xform: owner: group: mode: \
               use-compress:!compress A c d t u x r j J z Z k m O p P v w W U h l M n o S s B R a i G help!stop version!stop strip-components: one-top-level:: remove-files!write delete!write",
        accepts: &[
            "tar cf x.tar y",
            "tar -xzf x.tgz",
            "tar -czf x.tgz -C d .",
            "tar tf x.tar",
            "tar --zstd -cf x y",
            "tar -I zstd -cf x y",
            "tar xf x --strip-components=1",
        ],
        refuses: &[
            "tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec=y",
            "tar xf x --to-command=y",
            "tar -cIx f y",
            "tar -I ./x -cf y z",
            "tar cf o --use-comp=./x y",
            "tar -F x -cf y z",
            "tar -T list -cf x",
            "tar cf h:x y --rsh-command=z",
            "tar --checkpoint-act=exec=x cf y z",
            "tar -cf o --rmt-command x y",
            "tar cIf x o y",
            "tar cfI o x y",
            "tar xFf x o",
            "tar cf h:x y",
            "tar cfT o list",
            "tar -cf o --index-file=f y",
            "tar -cf o -g f y",
        ],
        bare_cluster: true,
        ..GUARDED
    },
    Row {
        names: &["rg", "ripgrep"],
        spec: "pre:!run hostname-bin:!run f:!config file:!config ignore-file:!config z search-zip hyperlink-format: e:|regexp: g:|glob: t:|type: T:|type-not: A: B: C: m: r:|replace: j: M: d:",
        abbreviation: Abbreviation::None,
        accepts: &["rg -n x", "rg --files -g '*.rs'", "rg -e x --pre-glob '*'", "rg -z x"],
        refuses: &[
            "rg --pre x y",
            "rg --pre=x y",
            "rg --hostname-bin=x y",
            "rg -f /etc/x y",
        ],
        ..TOOL
    },
    Row {
        names: &["fd", "fdfind"],
        spec: "x:!run exec:!run X:!run exec-batch:!run ignore-file:!config e: t: d: E: g p H I",
        accepts: &["fd x", "fd -e rs"],
        refuses: &[
            "fd -x touch y",
            "fd --exec y",
            "fd -X y",
            "fd x --exec-batch y",
            "fd -Hx y",
        ],
        ..GUARDED
    },
    Row {
        names: &["zip", "zipnote", "zipsplit"],
        spec: "T!run TT:!run unzip-command:!run t: b: n: i: x: @!config r q j m!write d!write P: O: s: l 9 0 1 u f y v",
        accepts: &["zip -r x.zip y", "zip x.zip y", "zip -qr9 x.zip y"],
        refuses: &[
            "zip -rTT z x y",
            "zip -qT x y",
            "zip x.zip y -T -TT z",
            "zip -TT z x y",
            "zip -T x",
            "zip --unzip-command=z x y",
        ],
        ..GUARDED
    },
    Row {
        names: &["man", "apropos", "whatis"],
        spec: "P:|pager:!run H::|html::!run C:|config-file:!config preprocessor: p: M:|manpath: troff-device:: T:: X:: Z:: r: prompt: K k f w l",
        accepts: &["man ls", "man -k x"],
        refuses: &[
            "man -P x ls",
            "man --pager=x ls",
            "man -Hx ls",
            "man --pag x ls",
            "man -C f ls",
        ],
        ..GUARDED
    },
    Row {
        names: &["less", "more", "most", "pg", "lesspipe"],
        spec: "o:!write O:!write log-file:!write LOG-FILE:!write k:!config lesskey-file:!config lesskey-src:!config lesskey-content:!config t: tag: T: p: pattern: P: b: h: j: x: y: z: D:",
        operand: Operand::Each(plus_operand),
        accepts: &["less f", "less -N f", "more f"],
        refuses: &[
            "less +!x f",
            "less '+!touch y' f",
            "less -o f g",
            "less --lesskey-content=x f",
            "less '++!x' f",
            "less -kf g",
        ],
        ..GUARDED
    },
    Row {
        names: &["gdb", "lldb", "gdbtui", "radare2", "r2", "rr"],
        spec: "version!stop help!stop",
        operand: Operand::Any,
        input: true,
        accepts: &["gdb --version"],
        refuses: &[
            "gdb -ex x",
            "gdb -batch -x f",
            "gdb --eval-command=x",
            "lldb -o x",
            "gdb -nx -ex 'shell id'",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["sqlite3", "sqlite", "duckdb"],
        spec: "init:!config cmd:!sql c:!sql f:!load A!ask separator: nullvalue: newline: vfs: maxsize: mmap: nonce: pagecache:",
        dash: Dash::Word,
        operand: Operand::Each(sql_operand),
        input: true,
        accepts: &["sqlite3 x.db 'select 1'", "sqlite3 -json x.db 'select a from b'"],
        refuses: &[
            "sqlite3 x.db '.shell y'",
            "sqlite3 :memory: '.system y'",
            "sqlite3 x '.output f'",
            "sqlite3 -init f x",
            "sqlite3 -cmd '.shell x' y",
            "sqlite3 x \"select load_extension('y')\"",
            "sqlite3 x '.import |y t'",
            "sqlite3 x \"select edit('y')\"",
            "sqlite3 x \"select writefile('y',1)\"",
            "duckdb -c \"copy t to 'f'\"",
            "sqlite3 -A x",
        ],
        ..GUARDED
    },
    Row {
        names: &["psql"],
        spec: "c:|command:!sql f:|file:!load o:|output:!write L:|log-file:!write v:|set:|variable:!ask P:|pset:!ask F:|field-separator: R:|record-separator: \
               T:|table-attr: d:|dbname: h:|host: p:|port: U:|username: w W X q a A b e E H l n s S t x z 0 1 V!stop version!stop csv",
        operand: Operand::Each(sql_operand),
        input: true,
        accepts: &["psql -c 'select 1'", "psql -Xqtc 'select 1' -d x"],
        refuses: &[
            "psql -c '\\! x'",
            "psql -f x",
            "psql -c \"copy t to program 'x'\"",
            "psql -Xc '\\! x'",
            "psql -o f -c 'select 1'",
            "psql --comm='\\! x'",
            "psql -v x=y",
            "psql -yc '\\! x'",
        ],
        ..GUARDED
    },
    Row {
        names: &["mysql", "mariadb"],
        spec: "e:|execute:!sql pager:!run tee:!write init-command:!sql defaults-file:!config defaults-extra-file:!config plugin-dir:!load default-auth:!load \
               load-data-local-dir:!ask h:|host: P:|port: u:|user: p::|password:: D:|database: S:|socket: N B A s t v H X C f n q r b i W w 1 V!stop version!stop",
        operand: Operand::Each(sql_operand),
        input: true,
        accepts: &["mysql -e 'select 1'", "mysql -u x -psecret -Ne 'select 1' db"],
        refuses: &[
            "mysql -e 'system x'",
            "mysql --pager=x",
            "mysql -Ne 'system x'",
            "mysql --tee=f",
            "mysql --defaults-file=f",
            "mysql -e 'select 1 into outfile \"f\"'",
        ],
        ..GUARDED
    },
    Row {
        names: &["mongosh", "mongo", "redis-cli", "clickhouse-client"],
        spec: "eval:!code f:!load file:!load shell: h: host: p: port: u: username: a: n: d: x!input q:!sql query:!sql",
        operand: Operand::Each(script_operand),
        input: true,
        accepts: &["mongosh db", "redis-cli get x", "redis-cli -h host -p 1 ping"],
        refuses: &[
            "mongosh --eval x",
            "mongosh x.js",
            "mongo f.js",
            "redis-cli --eval f",
            "redis-cli eval x 0",
            "redis-cli -x set k",
        ],
        ..GUARDED
    },
    Row {
        names: &["split", "csplit", "gsplit"],
        spec: "filter:!run a: b: C: l: n: t: additional-suffix: suffix-length: bytes: lines: number:",
        accepts: &["split -l 10 f"],
        refuses: &["split --filter=x f", "split --fil x f"],
        ..GUARDED
    },
    Row {
        names: &["sort", "gsort"],
        spec: "compress-program:!run o:|output:!write T:|temporary-directory:!write files0-from:!config random-source:!config k:|key: t:|field-separator: S:|buffer-size: parallel: batch-size: b d f g h i M n R r s u V z c C m",
        accepts: &["sort -k 2 f", "sort -rn f", "sort -u a b"],
        refuses: &[
            "sort --compress-program=x f",
            "sort -o f g",
            "sort -uo f g",
            "sort --outp f g",
            "sort -of g",
            "sort --compress-prog x f",
            "sort --files0-from=f",
        ],
        ..TOOL
    },
    Row {
        names: &["xxd"],
        spec: "r!write revert!write a b C c: d e E g: h i l: n: o: p ps plain s: u v R:",
        dash: Dash::Word,
        accepts: &["xxd f", "xxd -l 10 f"],
        refuses: &["xxd -r -p a b", "xxd -r a b", "xxd -rp a b", "xxd -revert a b"],
        operand: Operand::Each(reversing),
        ..TOOL
    },
    Row {
        names: &["date", "gdate"],
        spec: "f:|file:!config s:|set:!write r: d:|date: I:: R u|utc|universal rfc-3339: iso-8601:: rfc-email debug reference: help!stop version!stop",
        accepts: &["date", "date +%Y-%m-%d", "date -u", "date -d yesterday"],
        refuses: &["date -f /x", "date --file=x", "date -s x", "date --fi=x", "date -uf x"],
        ..TOOL
    },
];
