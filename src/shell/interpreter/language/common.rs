//! The languages that are on most machines.

use super::super::text::{plain_awk, plain_sed};
use super::super::{LANGUAGE, Operand, Row, Sub};
use crate::shell::option::{Abbreviation, Dash};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["python", "pypy", "jython", "ipython", "micropython", "graalpy"],
        spec: "b B d E I O OO P q R s S u v V!stop x h!stop c:!code m:!module i!input W:!warning X:!xoption \
               check-hash-based-pycs: help!stop version!stop help-all!stop help-env!stop help-xoptions!stop",
        abbreviation: Abbreviation::None,
        accepts: &[
            "python3 x.py",
            "python3 -u x.py -c y",
            "python -V",
            "python3.11 -W error x.py",
            "python3 -m pytest -q",
            "python3 -m json.tool f",
            "python3 -m unittest discover",
            "python3 -m venv .venv",
            "python3 -- x.py",
            "python3 -X dev x.py",
            "python3",
        ],
        refuses: &[
            "python3 -c x",
            "python3 -cx",
            "python3 -Bc x",
            "python3 -Ic x",
            "python3.11 -c x",
            "python3 -",
            "python3 /dev/stdin",
            "python3 -m timeit x",
            "python3 -mtimeit",
            "python3 -i x.py",
            "python3 --odd x.py",
            "python3 -X presite=x y.py",
            "pypy3 -c x",
            "python3.12t -c x",
            "python3 -W error::a.b x.py",
            "python3 -X pycache_prefix=d x.py",
            "python3 -m pylint --init-hook=x y",
            "python3 -m mypy --config-file f x",
            "python3 -m tox -c f",
            "python3 -m pip install -r http://x/y",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["node", "nodejs"],
        spec: "e:!code eval:!code p:!code print:!code pe:!code r:!load require:!load import:!load loader:!load experimental-loader:!load i!input interactive!input \
               c check test watch watch-path: v!stop version!stop h!stop help!stop C: conditions: inspect:: inspect-brk:: inspect-port: \
               max-old-space-size:: stack-size: enable-source-maps no-warnings no-deprecation throw-deprecation trace-deprecation trace-warnings trace-uncaught \
               trace-exit trace-sync-io unhandled-rejections: preserve-symlinks experimental-vm-modules experimental-strip-types experimental-transform-types \
               experimental-modules experimental-test-coverage experimental-json-modules no-experimental-strip-types test-reporter:!load test-name-pattern: \
               test-only test-concurrency: test-timeout: env-file:!config env-file-if-exists:!config env-file-config:!config run:!run expose-gc \
               input-type: prof cpu-prof heap-prof frozen-intrinsics abort-on-uncaught-exception track-heap-objects icu-data-dir:!load openssl-config:!config \
               title: no-opt max-http-header-size: dns-result-order: throw-warnings pending-deprecation zero-fill-buffers",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        accepts: &[
            "node x.js",
            "node --test",
            "node --version",
            "node -v",
            "node --max-old-space-size=4096 x.js -e y",
            "node --check x.js",
            "node -c x.js",
            "node --inspect x.js",
            "node",
        ],
        refuses: &[
            "node -e x",
            "node -pe x",
            "node -p x",
            "node --eval=x",
            "node --eval x",
            "node --print x",
            "node --import data:x y",
            "node -r ./x y.js",
            "node --require=./x y",
            "node --env-file=.e x.js",
            "node -",
            "node --odd x.js",
            "node --loader ./l x.js",
            "node18 -e x",
            "node -i",
            "node --run x",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["deno"],
        spec: "h!stop help!stop V!stop version!stop A allow-all q quiet L: log-level: unstable",
        dash: Dash::Cluster,
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "eval repl",
                effect: "code",
                spec: "",
            },
            Sub {
                names: "run serve test bench check",
                effect: "script",
                spec: "preload:!load require:!load import:!load import-map:!config config:!config c:!config env-file::!config allow-run:: allow-read:: allow-net:: allow-all A cert:!config",
            },
            Sub {
                names: "fmt lint doc info types cache task install add bundle compile",
                effect: "",
                spec: "c:!config config:!config import-map:!config",
            },
            Sub {
                names: "upgrade jupyter lsp x",
                effect: "run",
                spec: "",
            },
        ]),
        accepts: &["deno run x.ts", "deno test", "deno fmt --check", "deno --version"],
        refuses: &[
            "deno eval x",
            "deno repl",
            "deno run -",
            "deno run https://x/y.ts",
            "deno run --import-map=x y.ts",
            "deno run --preload p y.ts",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["bun", "bunx"],
        spec: "e:!code eval:!code p:!code print:!code r:!load preload:!load require:!load import:!load c::!config config::!config env-file:!config \
               cwd:!config h!stop help!stop v!stop version!stop revision!stop b bun silent hot watch smol inspect:: if-present no-install i",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "exec repl",
                effect: "code",
                spec: "",
            },
            Sub {
                names: "run",
                effect: "script",
                spec: "e:!code eval:!code p:!code print:!code r:!load preload:!load shell: bun silent",
            },
            Sub {
                names: "x",
                effect: "run",
                spec: "",
            },
            Sub {
                names: "test install add remove update build create pm link unlink outdated init",
                effect: "",
                spec: "r:!load preload:!load c:!config config:!config cwd:!config",
            },
        ]),
        accepts: &["bun x.ts", "bun run build", "bun test", "bun install"],
        refuses: &[
            "bun -e x",
            "bun --eval x",
            "bun --print x",
            "bun -r ./p x.ts",
            "bun run -",
            "bun exec x",
            "bun --odd x.ts",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["perl"],
        spec: "e:!code E:!code M:!load m:!load I:!load d::!code D:!ask F:!code i::!write n p a l 0 1 2 3 4 5 6 7 8 9 s S!load t T u!write U v!stop V:: w W X c x::!config C h!stop f g",
        accepts: &[
            "perl x.pl",
            "perl -w x.pl -e y",
            "perl -v",
            "perl -c x.pl",
            "perl -ln x.pl",
        ],
        refuses: &[
            "perl -e x",
            "perl -E x",
            "perl -ne x",
            "perl -we x",
            "perl -ex",
            "perl -lane x",
            "perl -M-strict -e 1",
            "perl -MData::Dumper x.pl",
            "perl -Ilib x.pl",
            "perl -i x.pl",
            "perl -d x.pl",
            "perl5.36 -e x",
            "perl -",
            "perl --odd",
            "perl -V:x -e y",
            "perl -0xAne x",
            "perl -x/d x",
            "perl -S x",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["ruby", "jruby", "rbx", "truffleruby"],
        spec: "e:!code r:!load I:!load C:!config X:!config n p a l 0 1 2 3 4 5 6 7 8 9 F:!code i::!write s S!load c d v w W:: x::!config y T:: K:: E: U h!stop version!stop help!stop verbose \
               disable: enable: yjit jit encoding: external-encoding: internal-encoding: copyright!stop debug!load yydebug",
        accepts: &["ruby x.rb", "ruby -w x.rb -e y", "ruby --version", "ruby -c x.rb"],
        refuses: &[
            "ruby -e x",
            "ruby -ex",
            "ruby -ne x",
            "ruby -r ./e x.rb",
            "ruby -rx y.rb",
            "ruby -Ilib x.rb",
            "ruby -",
            "ruby -S x",
            "ruby -x/d x.rb",
            "ruby -C d x.rb",
            "ruby3.1 -e x",
            "ruby --odd x",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["irb", "erb", "pry", "rails-console"],
        spec: "version!stop help!stop",
        accepts: &["irb --version"],
        refuses: &["irb -r x", "pry -e x"],
        ..LANGUAGE
    },
    Row {
        names: &["php", "php-cli", "php-cgi", "phpdbg", "hhvm"],
        spec: "r:!code B:!code R:!code E:!code F:!load f:!file d:!config c:!config n a!code S:!run t: z:!load i!stop m!stop l s w e v!stop h!stop \
               rf:!stop rc:!stop ini!stop run:!code process-begin:!code process-code:!code process-end:!code process-file:!load file:!file define:!config php-ini:!config \
               syntax-check version!stop help!stop interactive!code server:!run zend-extension:!load no-php-ini",
        abbreviation: Abbreviation::None,
        accepts: &["php x.php", "php -l x.php", "php -v", "php -f x.php"],
        refuses: &[
            "php -f -",
            "php -f php://stdin",
            "php --file=/dev/stdin",
            "php -r x",
            "php -rx",
            "php -B x",
            "php -R x",
            "php -E x",
            "php -d a=b x.php",
            "php -a",
            "php -",
            "php8.2 -r x",
            "php --run x",
            "php --odd x",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["lua", "luajit", "luau", "texlua"],
        spec: "e:!code l:!load i!input v E W b:!code j:!load O::",
        accepts: &["lua x.lua", "lua -v", "lua -E x.lua -e y"],
        refuses: &[
            "lua -e x",
            "lua -ex",
            "lua5.4 -e x",
            "lua -l m x.lua",
            "lua -",
            "lua -i x.lua",
            "lua --odd",
            "luajit -e x",
            "lua -v -e x",
            "lua -ve x",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["awk", "gawk", "mawk", "nawk", "bwk", "original-awk", "goawk", "frawk"],
        spec: "F:|field-separator: v:|assign:!assign f:!load file:!load e:!text source:!text E:!load exec:!load i:!load include:!load l:!load load:!load \
               W:!ask d::!write dump-variables::!write o::!write pretty-print::!write p::!write profile::!write D::!code debug::!code b c C g h L:: lint:: M n N O P r s S I t \
               V version help csv k posix re-interval sandbox characters-as-bytes traditional bignum optimize",
        operand: Operand::Program(plain_awk),
        accepts: &[
            "awk '{print $1}' f",
            "awk -F: '{print $1, $NF}' f",
            "awk '{print}'",
            "awk -F '\\t' 'NR>1 {print $2}' f",
            "awk -v n=3 'NR==n' f",
            "awk '/x/ {print $0}' f",
            "gawk --version",
        ],
        refuses: &[
            "awk 'BEGIN{system(\"x\")}'",
            "awk '{print > \"f\"}' f",
            "awk '{print | \"sh\"}' f",
            "awk -f p.awk f",
            "awk --source '{system(1)}'",
            "awk -e 'BEGIN{system(1)}'",
            "awk '{\"x\" | getline}' f",
            "awk '@load \"x\"'",
            "awk -i inplace '{print}' f",
            "awk '{x=$1; print x > y}'",
            "mawk -W exec x",
            "awk -dX '{print}' f",
            "awk '{print ENVIRON[\"A\"]}'",
            "awk -h 'BEGIN{system(1)}'",
            "awk --help 'BEGIN{system(1)}'",
            "awk --version 'BEGIN{system(1)}'",
            "awk 'BEGIN{x++ / system(\"x\") / 1}'",
            "awk 'BEGIN{if(1) /\"/; system(\"x\"); y=/\"/}'",
        ],
        ..LANGUAGE
    },
    Row {
        names: &["sed", "gsed", "ssed"],
        spec: "n|quiet|silent E|r|regexp-extended e:|expression:!text f:|file:!load i::|in-place::!write l:|line-length: s|separate u|unbuffered z|null-data \
               debug posix sandbox b|binary follow-symlinks help!stop version!stop",
        operand: Operand::Program(plain_sed),
        accepts: &[
            "sed -n '1,20p' f",
            "sed s/a/b/ f",
            "sed -e p f",
            "sed 's/a/b/g; s|x|y|' f",
            "sed '/x/d' f",
            "sed -n '$p' f",
            "sed -E 's#(a)#\\1#' f",
            "sed --expression=p f",
            "sed 5q f",
            "sed '1,3!d' f",
        ],
        refuses: &[
            "sed 'w f'",
            "sed '1e x' f",
            "sed 's/a/b/e' f",
            "sed 's/a/b/w f'",
            "sed --expression='1e x' f",
            "sed -f x.sed f",
            "sed -i s/a/b/ f",
            "sed -n '1r f'",
            "sed --in-place=.b p f",
            "sed 'R f'",
            "sed 'W f'",
            "sed e",
            "sed 's/a/b/gew x'",
            "sed 's/[/]/g;/e;s,/,1,' f",
        ],
        ..LANGUAGE
    },
];
