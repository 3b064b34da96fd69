//! Building and testing: `make`, package managers, compilers.

use super::super::program::{at_operand, goal, make_operand};
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
    // These run what a project says: where it says so must not be moved, and no code may be put beside it.
    Row {
        names: &["rake"],
        spec: "f:|rakefile:!config r:|require:!load I:|libdir:!load R:|rakelibdir:!load e:|execute:!code E:|execute-continue:!code p:|execute-print:!code \
               g|system!config C:|directory:!dir j:: T:: D:: W:: t:: N P q s v n A m h!stop H!stop V!stop version!stop help!stop",
        operand: Operand::Each(make_operand),
        accepts: &["rake test", "rake -T", "rake -j4 build", "rake -C sub test"],
        refuses: &[
            "rake -f x",
            "rake -qf x",
            "rake -e x",
            "rake -r ./x",
            "rake -C /x",
            "rake --rakef x",
        ],
        ..GUARDED
    },
    Row {
        names: &[
            "just", "task", "gulp", "grunt", "invoke", "inv", "fab", "composer", "meson", "scons", "waf",
        ],
        spec: "f:|file:!config justfile:!config taskfile:!config gulpfile:!config gruntfile:!config working-directory:!config working-dir:!config cwd:!config base:!config search-root:!config \
               shell:!run shell-arg:!run chooser:!run command:!run edit!run require:!load r:!load tasks:!load site-dir:!load set: show: dir:!dir directory:!dir \
               l q v n t: j:: h!stop help!stop V!stop version!stop",
        abbreviation: Abbreviation::None,
        operand: Operand::Each(make_operand),
        accepts: &[
            "just build",
            "just -l",
            "task test",
            "composer install -n",
            "scons -j4",
            "meson setup build",
        ],
        refuses: &[
            "just --shell x build",
            "just -f x build",
            "just --command x",
            "gulp --gulpfile x",
            "grunt --gruntfile=x",
            "invoke --search-root=/x y",
            "composer --working-dir=/x install",
        ],
        ..GUARDED
    },
    Row {
        names: &["gradle", "gradlew"],
        spec: "I:|init-script:!code b:|build-file:!config c:|settings-file:!config g:|gradle-user-home:!config p:|project-dir:!dir include-build:!load \
               x:|exclude-task: P:|project-prop: D:|system-prop: F:|dependency-verification: a i q s S d w t m h!stop help!stop v!stop version!stop",
        accepts: &["gradle build", "gradle build -x test", "gradle -Pa=b --no-daemon test"],
        refuses: &[
            "gradle -I x build",
            "gradle --init-script x build",
            "gradle -qI x build",
            "gradle -g d build",
            "gradle -p /x build",
            "gradle --include-build x test",
        ],
        ..TOOL
    },
    Row {
        names: &["mvn", "mvnw", "mvnd"],
        spec: "f:!dir file:!dir s:!config settings:!config gs:!config global-settings:!config t:!config toolchains:!config P: pl: projects: T: threads: rf: l:!write log-file:!write \
               b: builder: v!stop version!stop h!stop help!stop",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        operand: Operand::Each(goal),
        accepts: &[
            "mvn -q test",
            "mvn -DskipTests package",
            "mvn clean install -Pprod",
            "mvn -f sub/pom.xml test",
        ],
        refuses: &[
            "mvn exec:exec -Dexec.executable=x",
            "mvn exec:java",
            "mvn -f /x test",
            "mvn -s f test",
            "mvn org.codehaus.mojo:exec-maven-plugin:exec",
            "mvn -Dmaven.ext.class.path=x test",
        ],
        ..TOOL
    },
    Row {
        names: &["ninja", "samu"],
        spec: "C:!dir f:!config t:!ask j: k: l: d: w: n v h!stop version!stop",
        accepts: &["ninja", "ninja -C build test", "ninja -j8 -v"],
        refuses: &["ninja -C /x", "ninja -f x", "ninja -vf x", "ninja -t x"],
        ..GUARDED
    },
    Row {
        names: &["ant", "ctest", "cpack", "bazel", "bazelisk", "buck2"],
        spec: "f:!config file:!config buildfile:!config find:!config s:!config propertyfile:!config main:!load lib:!load listener:!load logger:!load inputhandler:!load \
               S:!load SP:!load script:!load D: build-and-test:!run test-command:!run test-dir:!dir config:!config bazelrc:!config output_base:!config run_under:!run override_repository:!load \
               q v version!stop help!stop h!stop",
        dash: Dash::Word,
        abbreviation: Abbreviation::None,
        accepts: &["ant", "ant -q test", "ctest --test-dir build", "bazel test //x"],
        refuses: &[
            "ant -lib x",
            "ant -f y",
            "ctest -S x",
            "ctest --build-and-test a b --test-command x",
            "bazel --bazelrc=x build",
            "bazel test --run_under=x //y",
            "ctest --test-dir /x",
        ],
        ..TOOL
    },
    Row {
        names: &["tox", "nox", "pre_commit", "pre-commit", "mkdocs", "sphinx-build"],
        spec: "c:|conf:|config:!config f:|noxfile:|config-file:!config root:!dir workdir:!dir x:|override:!ask e: s: k: t: r p: v q a h!stop help!stop version!stop",
        abbreviation: Abbreviation::None,
        accepts: &[
            "tox -e py311",
            "nox -s lint",
            "pre-commit run --all-files",
            "mkdocs build",
            "tox",
        ],
        refuses: &[
            "tox -c f",
            "nox -f f",
            "nox --noxfile=f",
            "pre-commit run -c f",
            "tox -x testenv.commands=y",
            "mkdocs build -qf f",
        ],
        ..TOOL
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
        ],
        spec: "init-hook:!code load-plugins:!load rcfile:!config config:!config config-file:!config append-config:!config settings-path:!config settings-file:!config \
               python-executable:!run pythonpath:!run custom-typeshed-dir:!load output-file:!write output:!write help!stop version!stop",
        accepts: &[
            "pylint src",
            "pylint -f json src",
            "mypy --strict src",
            "ruff check .",
            "black --check .",
            "flake8 x.py",
            "isort -c .",
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
        ..TOOL
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
