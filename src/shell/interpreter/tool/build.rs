//! Building and testing: `make`, package managers, compilers.

use super::super::program::{at_operand, make_operand};
use super::super::{GUARDED, Operand, Row, Sub, TOOL};
use crate::shell::option::{Abbreviation, Dash};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["make", "gmake", "bmake", "nmake", "remake", "mingw32-make"],
        spec: "f:|file:|makefile:!config E:|eval:!code C:|directory:!dir I:|include-dir:!config o:|old-file:|assume-old: W:|what-if:|new-file:|assume-new: \
               j::|jobs:: l::|load-average::|max-load:: O::|output-sync:: n|just-print|dry-run|recon s|silent|quiet k|keep-going B|always-make b d debug:: e|environment-overrides!config \
               i|ignore-errors L p|print-data-base q|question r|no-builtin-rules R|no-builtin-variables S|stop t|touch v!stop version!stop h!stop help!stop w trace no-print-directory warn-undefined-variables shuffle::",
        operand: Operand::Each(make_operand),
        accepts: &[
            "make",
            "make test",
            "make -j4 all",
            "make -C sub test",
            "make V=1 x",
            "make -n",
            "make PREFIX=/usr/local install",
            "make -sk",
        ],
        refuses: &[
            "make -f x.mk",
            "make -fx.mk",
            "make -sf x.mk",
            "make --file=x",
            "make --eva=x",
            "make --eval=x",
            "make SHELL=x",
            "make -E x",
            "make CC=x",
            "make X='$(shell y)'",
            "make -C /elsewhere",
            "make -I d",
            "make -C ../up",
        ],
        ..GUARDED
    },
    Row {
        names: &["cargo"],
        spec: "config:!config C:!config Z: color: q quiet v verbose offline locked frozen manifest-path:!manifest target-dir: V!stop version!stop h!stop help!stop list!stop explain:!stop",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[Sub {
            names: "build b check c clippy test t run r bench doc d rustc rustdoc fix install fetch tree metadata update package publish",
            effect: "",
            spec: "config:!config manifest-path:!manifest C:!config p: package: F: features: j: jobs: target: bin: example: bench: test: profile: message-format: color: Z:",
        }]),
        accepts: &[
            "cargo test",
            "cargo test -- --nocapture",
            "cargo build --release",
            "cargo run --bin x -- --config y",
            "cargo test -p x",
            "cargo +nightly fmt",
            "cargo fmt -- --check",
        ],
        refuses: &[
            "cargo --config build.rustc-wrapper='\"x\"' check",
            "cargo check --config x",
            "cargo --config=x check",
            "cargo -C /x build",
            "cargo build --manifest-path /elsewhere/Cargo.toml",
        ],
        ..TOOL
    },
    Row {
        names: &["go"],
        spec: "C:!config",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "build test vet run install list get generate mod work fix",
                effect: "",
                spec: "toolexec:!run vettool:!run exec:!run overlay:!config modfile:!config C:!config ldflags:!flags gcflags: asmflags: compiler: gccgoflags:!ask o: p: tags: run: bench: timeout: count: coverprofile: mod: fixtool:!run",
            },
            Sub {
                names: "tool",
                effect: "run",
                spec: "",
            },
            Sub {
                names: "env",
                effect: "",
                spec: "w!config u!config",
            },
            Sub {
                names: "bug",
                effect: "run",
                spec: "",
            },
        ]),
        accepts: &[
            "go build ./...",
            "go test -run X ./...",
            "go vet ./...",
            "go mod tidy",
            "go version",
            "go env GOPATH",
        ],
        refuses: &[
            "go build -toolexec x ./...",
            "go vet -vettool=x ./...",
            "go test -exec x",
            "go run -exec x .",
            "go test --exec=x",
            "go build -overlay f",
            "go env -w GOFLAGS=x",
            "go tool cgo",
            "go build -ldflags='-extld=x'",
        ],
        ..TOOL
    },
    Row {
        names: &["npm", "pnpm", "yarn", "npx", "pnpx"],
        spec: "script-shell:!run shell:!run prefix:!config C:!config dir:!config cwd:!config userconfig:!config globalconfig:!config init-module:!run node-options:!load onload-script:!load git:!run \
               editor:!run browser:!run viewer:!run pager:!run c:!code call:!code node-arg:!load n:!load use-yarnrc:!config rc-file:!config registry: loglevel: filter: w: workspace: p: package: require:!load yes y q silent s shell-emulator",
        abbreviation: Abbreviation::None,
        operand: Operand::Sub(&[
            Sub {
                names: "exec x dlx explore edit node",
                effect: "run",
                spec: "",
            },
            Sub {
                names: "config set",
                effect: "",
                spec: "",
            },
            Sub {
                names: "run run-script test t start stop restart install i ci add build pack publish",
                effect: "",
                spec: "script-shell:!run prefix:!config C:!config node-options:!load userconfig:!config shell:!run git:!run dir:!config cwd:!config",
            },
        ]),
        accepts: &[
            "npm ci",
            "npm test",
            "npm run build -- --x",
            "pnpm --filter @a/b build",
            "npx tsc --noEmit",
            "npx eslint src --ext .ts",
            "yarn build",
            "npm ls --json",
        ],
        refuses: &[
            "npm --script-shell=x run test",
            "npm --prefix x run test",
            "npm run test --script-shell x",
            "npx -c x",
            "npm exec x",
            "npm --node-options=x test",
            "pnpm -C x build",
            "yarn node x",
            "npx --call=x",
            "pnpm dlx x",
        ],
        ..TOOL
    },
    // They run what a project says; where it says so must not be moved, and no code may be put beside it.
    Row {
        names: &[
            "rake", "just", "task", "gulp", "grunt", "ninja", "meson", "bazel", "buck2", "gradle", "gradlew", "mvn",
            "mvnw", "ant", "scons", "invoke", "fab", "nox", "tox", "ctest", "cpack", "composer",
        ],
        spec: "f:!config file:!config rakefile:!config justfile:!config taskfile:!config gulpfile:!config gruntfile:!config noxfile:!config conf:!config c:!config config:!config \
               d:!config cwd:!config C:!config dir:!config working-directory:!config working-dir:!config root:!config p:!config project-dir:!config b:!config build-file:!config buildfile:!config \
               init-script:!code I:!code e:!code execute:!code E:!code r:!load require:!load lib:!load listener:!load logger:!load shell:!run shell-arg:!run chooser:!run \
               S:!load script:!load build-and-test:!run test-command:!run output_base:!config bazelrc:!config override_repository:!load run_under:!run action_env:!ask \
               x!ask j:: n q v s t T: k l h!stop help!stop version!stop V!stop",
        abbreviation: Abbreviation::Unambiguous,
        operand: Operand::Each(make_operand),
        accepts: &[
            "rake test",
            "just build",
            "gradle build",
            "mvn test",
            "ninja",
            "tox",
            "nox",
            "composer install",
            "ant",
        ],
        refuses: &[
            "rake -f x",
            "just --shell x build",
            "just -f x build",
            "gradle -I x build",
            "gradle --init-script x build",
            "ninja -C /x",
            "mvn -f x",
            "ant -lib x -f y",
            "ctest -S x",
            "bazel --bazelrc=x build",
            "rake -e x",
            "gulp --gulpfile x",
            "tox -c f",
            "nox -f f",
            "invoke -c f",
        ],
        ..GUARDED
    },
    Row {
        names: &[
            "pylint",
            "flake8",
            "mypy",
            "pyright",
            "black",
            "isort",
            "ruff",
            "bandit",
            "yamllint",
            "pycodestyle",
            "pydocstyle",
            "mkdocs",
            "pre_commit",
            "pre-commit",
            "sphinx-build",
        ],
        spec: "init-hook:!code load-plugins:!load rcfile:!config config:!config config-file:!config append-config:!config settings-path:!config settings-file:!config sp:!config c:!config f:!config \
               python-executable:!run custom-typeshed-dir:!load verifytypes: output:!write o:!write output-file:!write D:!config isolated help!stop version!stop h!stop",
        accepts: &[
            "pylint src",
            "mypy --strict src",
            "ruff check .",
            "black --check .",
            "flake8 x.py",
            "pre-commit run --all-files",
        ],
        refuses: &[
            "pylint --init-hook=x y",
            "pylint --init-h x y",
            "pylint --load-plugins x y",
            "mypy --config-file f x",
            "flake8 --config=f x",
            "mypy --python-executable x y",
            "isort --settings-path f x",
        ],
        ..GUARDED
    },
    Row {
        names: &["pytest", "py.test"],
        spec: "p:!plugin c:!config config-file:!config rootdir:!config confcutdir:!config o:!config override-ini:!config pyargs basetemp:!write junit-xml:!write junitxml:!write log-file:!write \
               pdbcls:!code pdb!code trace!code k: m: n: x q v s r: W:!warning tb: maxfail: lf ff sw cov:: cov-report: durations: co collect-only l h!stop help!stop version!stop V!stop",
        abbreviation: Abbreviation::Unambiguous,
        accepts: &[
            "pytest -q",
            "pytest -x tests/test_a.py::test_b",
            "pytest -k 'a and b'",
            "pytest -n 4 -q",
            "pytest -p no:cacheprovider",
        ],
        refuses: &[
            "pytest -p evil",
            "pytest -pevil",
            "pytest -qp evil",
            "pytest -c f",
            "pytest --rootdir=/x",
            "pytest -o python_files=x",
            "pytest --pdb",
            "pytest --pdbcls=a:b",
            "pytest --override-ini=x=y",
        ],
        ..TOOL
    },
    Row {
        names: &[
            "gcc",
            "cc",
            "g++",
            "c++",
            "clang",
            "clang++",
            "tcc",
            "ld",
            "gold",
            "lld",
            "as",
            "rustc",
            "javac",
            "java",
            "kotlin-native",
            "ghc-pkg",
            "nasm",
        ],
        spec: "wrapper:!run fplugin:!load plugin:!load load:!load specs:!config B:!load Xclang:!ask agentpath:!load agentlib:!load javaagent:!load XX:!java processorpath:!load processor:!load fuse-ld:!run linker: C:!flags codegen:!flags o: I: L: l: D: U: cp: classpath: jar:",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        operand: Operand::Each(at_operand),
        accepts: &[
            "gcc -O2 -c x.c",
            "gcc -o x x.c",
            "rustc x.rs",
            "java -jar x.jar",
            "javac X.java",
        ],
        refuses: &[
            "gcc -wrapper x y.c",
            "gcc -fplugin=x y.c",
            "clang -fplugin=x y.c",
            "gcc -specs=f y.c",
            "rustc -C linker=x y.rs",
            "java -javaagent:x -jar y",
            "java -XX:OnError=x -jar y",
            "gcc @args",
            "rustc -Clinker=x y.rs",
        ],
        ..TOOL
    },
];
