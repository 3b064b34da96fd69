//! The words of rows: a closed list, so that a word that is not in it fails the build.

use super::class::Class;

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal;)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// The meaning of a word.
            pub(super) const fn of(word: &[u8]) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// What the value of an option, an operand, or an option without value does.
    Use {
        /// A text that means nothing to us, and becomes no part of a name that is written.
        Text = b"text";
        /// A number, perhaps with a sign, a unit or a range.
        Number = b"number";
        /// A path that is read.
        Read = b"read";
        /// A path that is written, made, moved away or deleted; `-` and `/dev/null` are none.
        Write = b"write";
        /// A name that is removed or moved away; of a link, the link itself.
        Remove = b"remove";
        /// A path that is read, and written where no other operand says where (`sed -i FILE`).
        Change = b"change";
        /// A path that is written, or the directory itself, whose files are (`black .`).
        Tree = b"tree";
        /// Names of files that are read stand in what it is given, a file or standard input.
        Listed = b"listed";
        /// A directory in which the program works from then on.
        Dir = b"dir";
        /// The name of a program that is started.
        Run = b"run";
        /// A text for a shell.
        Shell = b"sh";
        /// The program that runs, with all arguments that follow.
        Argv = b"argv";
        /// A program text in a language of its own.
        Code = b"code";
        /// A path, or a name, from which code is loaded.
        Load = b"load";
        /// A path, or a text, from which settings or options are taken.
        Config = b"config";
        /// Makes the program read commands from standard input.
        Input = b"input";
        /// Not known to be harmless.
        Ask = b"ask";
        /// A script file of an interpreter; what follows are its arguments.
        Script = b"script";
        /// A script file given by an option.
        File = b"file";
        /// An address to which it connects.
        Connect = b"connect";
        /// Help, version and the like: the rest does not matter.
        Help = b"help";
        /// A patch: the files that it changes are written.
        Patch = b"patch";
        /// Nothing is changed: patches and settings are only looked at.
        Preview = b"preview";
        /// Files are changed in place (`sed -i`): operands that are `change` are written.
        InPlace = b"in-place";
        /// Files whose names are not known are put into the directory in which it works.
        Unpack = b"unpack";
        /// Gives the last operand's part to an option (`cp -t DIR`): all operands are read.
        Target = b"target";
        /// The option must be given: without it the program does more than filter.
        Needed = b"needed";
        /// Goes down into directories, as any other option does that says so: what it brings from elsewhere may have any name.
        Recursive = b"recursive";
        /// Follows the links that it meets on its way down.
        Follows = b"follows";
        /// Prints settings of the user as they stand, and keys among them.
        Shows = b"shows";
        /// Takes what it reads for data, and starts nothing that stands there.
        Tame = b"tame";
        /// Makes the program print names that it finds, and nothing else.
        Names = b"names";
        /// Says under which heading names are printed.
        Heading = b"heading";
        /// Makes git sign, with a key of the user.
        Signs = b"signs";
        /// Class of effect: see [`Class`].
        Reads = b"reads";
        /// The same.
        Writes = b"writes";
        /// The same.
        Connects = b"connects";
        /// The same.
        Publishes = b"publishes";
        /// The same.
        Destroys = b"destroys";
        /// The same.
        Daemon = b"daemon";
    }
}

words! {
    /// What a `~` line says about a program or subcommand, besides classes and uses.
    Trait {
        /// Long options are written in full.
        Whole = b"whole";
        /// `-word` is one option.
        Words = b"words";
        /// Options end at the first operand.
        Leading = b"leading";
        /// Options before the subcommand may also stand behind it.
        Global = b"global";
        /// A beginning of a subcommand's name that is no other's stands for it.
        Abbreviated = b"abbreviated";
        /// The first argument may be letters without a dash, which take their values in order (`tar`).
        Bare = b"bare";
        /// A language: its operands or its standard input may be programs, and a grant for it is never kept by itself.
        Interpreter = b"interpreter";
        /// Reads commands from standard input, whatever its operands are.
        Commands = b"commands";
        /// Starts programs that others name, so that a grant for it is never kept by itself (`uv`).
        Runner = b"runner";
        /// A wrapper that does work of its own, for which it needs a grant besides the command inside (`find`).
        Works = b"works";
        /// A wrapper that is a builtin of the shell, known by its bare name only.
        Builtin = b"builtin";
        /// A shell whose texts are those of bash.
        Bash = b"bash";
        /// A shell whose texts are those of POSIX.
        Posix = b"posix";
        /// Many programs in one file, told apart by the name under which it is called (`busybox`).
        MultiCall = b"multi-call";
        /// Standard input is data for it, whatever it says.
        Data = b"data";
        /// Looks at names and sizes of files, not at what they hold.
        Lists = b"lists";
        /// Looks at the directory in which it works where it is given no path.
        Here = b"here";
        /// The same behind a pattern, unless it is given what it looks at on standard input.
        Searches = b"searches";
        /// The same where it is told to go down into directories, whatever standard input holds.
        Descends = b"descends";
        /// Prints names that it finds, numbers, or a choice of the lines that it is given, where it is given no file to read.
        Names = b"names";
        /// Prints a heading before names, unless an option says that it is empty.
        Headed = b"headed";
        /// Prints more than names, whatever its options say.
        More = b"more";
        /// Reads no standard input at all.
        Silent = b"silent";
        /// May be given a script of Python to run.
        PythonScripts = b"python-scripts";
        /// May be given a script of Node to run.
        NodeScripts = b"node-scripts";
        /// Brings files out of a history, or from elsewhere, into the workspace.
        Brings = b"brings";
        /// Writes settings of a repository.
        Settings = b"settings";
        /// Leaves what git goes on with later: a merge, a rebase, where a history ends.
        States = b"states";
        /// Puts what it reads, directories too, under the name that it writes.
        Copies = b"copies";
        /// Uses the cache of Cargo.
        CacheCargo = b"cache-cargo";
        /// Uses the cache of npm.
        CacheNpm = b"cache-npm";
        /// Uses the store of pnpm.
        CachePnpm = b"cache-pnpm";
        /// Uses caches in the user's common place for them.
        CacheHome = b"cache-home";
        /// Uses the module cache of Go.
        CacheGo = b"cache-go";
        /// Starts programs by what stands in the workspace: any cache may be used.
        CacheAny = b"cache-any";
        /// Two letters of a cluster may be one option (`zip -lf`), and are where the row lists it.
        Pairs = b"pairs";
        /// Every argument is a text that means nothing to us, whatever it begins with.
        Texts = b"texts";
        /// Writes no links and puts no file in another's place, whatever its class is.
        Plain = b"plain";
        /// Every long option has a counterpart `--no-…`, which does nothing of interest.
        Negatable = b"negatable";
        /// Uses keys and logins of the user, which lie among secrets.
        Keys = b"keys";
        /// A tool of projects: what starts tools of a project starts it without a grant of its own (`npx tsc`).
        Project = b"project";
        /// An option that needs a value takes the next word as it is, also one that begins with a dash.
        Sure = b"sure";
        /// Reads scripts of its language itself, rather than handing them to something else that does.
        OwnScripts = b"own-scripts";
        /// Makes other names for what is there already: links.
        Links = b"links";
        /// Is git: it obeys settings and hooks of the repository in which it works.
        ObeysGit = b"obeys-git";
        /// Obeys settings of the working copy of Mercurial in which it works.
        ObeysMercurial = b"obeys-hg";
        /// Obeys settings of the working copy of Jujutsu in which it works.
        ObeysJujutsu = b"obeys-jj";
        /// Obeys `.cargo/config.toml` of the directory in which it works.
        ObeysCargo = b"obeys-cargo";
        /// Becomes the toolchain of Rust that a file of the directory names in which it works.
        ObeysToolchain = b"obeys-toolchain";
    }
}

words! {
    /// What only rows of wrappers and shells say: about themselves, of an option, or of what follows the options.
    Wrap {
        /// The command runs as somebody else, in another root or name space.
        Identity = b"identity";
        /// The command runs in another directory.
        ChangeDir = b"chdir";
        /// The command's name is replaced, or looked up elsewhere.
        Rename = b"rename";
        /// Start-up files are read before the command.
        Startup = b"startup";
        /// It acts on something else than a command.
        Alone = b"alone";
        /// A line that is split into arguments, which stand before those that follow.
        Split = b"split";
        /// A variable that is taken away.
        Unset = b"unset";
        /// All variables are taken away.
        Clear = b"clear";
        /// The text for which an argument from standard input is put; `{}` where none is given.
        Placeholder = b"placeholder";
        /// How many arguments of standard input a command gets.
        Batch = b"batch";
        /// How many lines of standard input a command gets.
        Lines = b"lines";
        /// The first operand is a text for the shell.
        CommandText = b"command-text";
        /// A text is read or run in another way than the analyser reads it.
        Odd = b"odd";
        /// `NAME=value` operands that stand before the command.
        Assignments = b"assignments";
        /// Words that are joined to a text for `sh` (`watch`).
        Joined = b"joined";
        /// A command that gets more arguments from standard input; `echo` where none is given (`xargs`).
        Fed = b"fed";
        /// An expression that names commands, and what they are given (`find`).
        Expression = b"expression";
        /// The name of a program inside the same file, and its arguments (`busybox`).
        Applet = b"applet";
        /// A builtin of the shell and its arguments.
        BuiltinCall = b"builtin";
        /// A command, `-c` with a text for a shell, or nothing (`flock`).
        Locked = b"locked";
        /// Nothing but files of its own: without an option that says more, it starts an interactive shell.
        Session = b"session";
        /// What it runs cannot be told from what follows.
        Untold = b"untold";
    }
}

words! {
    /// A judgement of a value or an operand that takes more than a word.
    Judge {
        /// An `awk` program.
        Awk = b"@awk";
        /// A `sed` program.
        Sed = b"@sed";
        /// Statements or commands for `sqlite3`.
        Sqlite = b"@sqlite";
        /// Statements or commands for `duckdb`.
        Duck = b"@duckdb";
        /// A statement or a command for `psql -c`.
        Postgres = b"@psql";
        /// Statements for `mysql -e`.
        Mysql = b"@mysql";
        /// A data base of PostgreSQL, or settings of a connection to it.
        Conninfo = b"@conninfo";
        /// `NAME=value` of psql.
        PsqlVariable = b"@psql-variable";
        /// A target or an assignment of `make`.
        Make = b"@make";
        /// A file of a data base, whose views and triggers may call any function of its program.
        Database = b"@database";
        /// `name=value` of ssh's settings.
        SshOption = b"@ssh-option";
        /// A host, perhaps with a path; a transport that runs something is none.
        Remote = b"@remote";
        /// A file that is read, or `host:path`.
        RemoteRead = b"@remote-read";
        /// A file that is written, or `host:path`.
        RemoteWrite = b"@remote-write";
        /// A file, or `host:file`.
        Archive = b"@archive";
        /// A compressor with plain options.
        Compressor = b"@compressor";
        /// A module that Python runs.
        Module = b"@python-module";
        /// `-W` of Python.
        Warning = b"@python-warning";
        /// `-X` of Python.
        XOption = b"@python-x";
        /// A plugin of pytest.
        Plugin = b"@pytest-plugin";
        /// `NAME=text` for `awk -v`.
        Assignment = b"@assignment";
        /// `-o` of apt.
        Apt = b"@apt-option";
        /// Flags for a compiler or linker.
        Flags = b"@compiler-flags";
        /// `-XX` of Java.
        Java = b"@java-option";
        /// `NAME=value` for programs that it starts.
        Variable = b"@variable";
        /// `NAME=value` of a build that names no program, no flags and no path.
        BuildSetting = b"@build-setting";
        /// A flag for a compiler of C.
        CompilerFlag = b"@c-flag";
        /// The name of a setting of the user, whose value is printed; without one all are.
        Shown = b"@shown-setting";
        /// A setting of git, `name=value`.
        GitSetting = b"@git-setting";
        /// The value of git's setting that the operand before names.
        GitPair = b"@git-pair";
        /// A repository of git: a URL, a path or a remote's name.
        GitUrl = b"@git-url";
        /// The same where a name of a remote means nothing: a URL or a path.
        GitAddress = b"@git-address";
        /// Data that is sent; `@file`, `name=@file` and `name=<file` read it from a file.
        Upload = b"@upload";
        /// `-o` of kubectl: a format; one that reads a template from a file is none.
        KubeOutput = b"@kube-output";
        /// A URL of curl: no file.
        CurlUrl = b"@curl-url";
        /// A file that curl writes, with no part of the URL in its name.
        CurlOutput = b"@curl-output";
        /// A file that curl sends.
        Sent = b"@sent";
        /// A certificate or a key.
        Certificate = b"@certificate";
        /// A rule for what rsync copies.
        CopyFilter = b"@copy-filter";
        /// A task of a build; one that publishes is of that class.
        BuildTask = b"@build-task";
        /// A part of a form.
        Form = b"@form";
        /// A URL under whose last part what comes is kept, where no option says another name.
        KeptUrl = b"@kept-url";
        /// An item of a request: `name=text`, or `name@file`, which is read.
        HttpItem = b"@http-item";
        /// A value of aws; `file://…` stands for what a file holds.
        AwsText = b"@aws-text";
        /// A format of tmux.
        TmuxFormat = b"@tmux-format";
        /// Kinds of resources of a cluster; secrets are none.
        KubeResource = b"@kube-resource";
        /// A filter of jq that takes in no modules.
        Jq = b"@jq";
        /// A kind of report, with the file or directory that is written behind a colon.
        Report = b"@report";
        /// What `unittest` runs: tests of the workspace, by their path or their module's name.
        Unittest = b"@unittest";
        /// An expression of yq that loads nothing, or a file.
        Yq = b"@yq";
        /// A file that is read where an option that is `target` says what is done with it.
        Moded = b"@moded";
        /// A text of one line.
        Line = b"@line";
        /// A directory, or what `make` would be given.
        Project = b"@project";
        /// A method of HTTP; all but `GET` and `HEAD` change something on the other side.
        HttpMethod = b"@http-method";
        /// The format of curl's `-w`: `%output{file}` writes, `@file` reads.
        WriteOut = b"@write-out";
        /// A file that git puts into the working tree, or the name of a commit.
        Pathspec = b"@pathspec";
        /// A file whose content git replaces in the working tree, unless an option says that it is the index alone.
        Restored = b"@restored";
        /// A file or a revision that is compared with another.
        Compared = b"@compared";
        /// An end of names that it makes: no name that other programs obey ends so.
        Suffix = b"@suffix";
        /// A beginning of names that it makes: no name that other programs obey begins so.
        Prefix = b"@prefix";
        /// A file that is unpacked under its own name without an end: no name that other programs obey.
        Packed = b"@packed";
        /// A name: no path, no address, no option.
        Name = b"@name";
        /// A package of a registry with its version: no path, no address, no repository.
        Package = b"@package";
        /// A package as `pip` is asked for, or the project itself (`.`).
        Requirement = b"@requirement";
        /// A file of such packages, of the workspace.
        RequirementFile = b"@requirement-file";
        /// `module:object`, with no call and no other expression.
        PythonApp = b"@python-app";
        /// `-f…`, `-m…` and `-W…` of a compiler.
        CompilerWord = b"@compiler-word";
        /// A word for a linker.
        LinkerWord = b"@linker-word";
        /// `--style` of `clang-format`.
        ClangStyle = b"@clang-style";
        /// `section=file` that is read.
        SectionRead = b"@section-read";
        /// A script of a linker, or a place where one may lie that looks like a library.
        LinkScript = b"@link-script";
        /// A file for a compiler of C: text that is none of its languages is a script of the linker.
        LinkInput = b"@link-input";
        /// A file for the compiler of Java, which starts the processors that it finds on its class path.
        JavaSource = b"@java-source";
        /// Whether the compiler of Java starts processors of annotations.
        JavaProcessing = b"@java-processing";
        /// Letters of `ps` without a dash, or numbers of processes.
        PsWord = b"@ps-word";
        /// Columns of `ps`; the environment of processes is none of them.
        PsFormat = b"@ps-format";
        /// `section=file` that is written.
        SectionWrite = b"@section-write";
        /// An address of `socat`.
        Socket = b"@socat";
        /// `NAME=value` for CMake.
        CMakeDefinition = b"@cmake-define";
        /// A package of Go or a file of the workspace.
        GoTarget = b"@go-target";
        /// `name=value` of a property of Java, Maven or Gradle.
        Property = b"@maven-property";
        /// A phase or goal of Maven.
        Goal = b"@maven-goal";
        /// `-X` of Java.
        JvmOption = b"@jvm-option";
        /// A project or an argument of MSBuild.
        MsbuildWord = b"@msbuild-word";
        /// A package of PHP.
        ComposerPackage = b"@composer-package";
        /// A version of Python: no path of one.
        PythonVersion = b"@python-version";
        /// A tool of the project, with all that follows; another program is a command of its own.
        Tool = b"@tool";
        /// A script of the project or a tool, with all that follows; another program that is known is a command of its own.
        Task = b"@task";
        /// Arguments of cargo in one text.
        CargoLine = b"@cargo-line";
        /// Kinds of output of `rustc --emit`, without a path.
        Emit = b"@emit";
        /// Of a filter: digits.
        Digits = b"@digits";
        /// Of a filter: digits, perhaps behind a minus.
        Integer = b"@integer";
        /// Of a filter: digits, perhaps with a point.
        Decimal = b"@decimal";
        /// Of a filter: a number with a sign and a unit.
        Size = b"@size";
        /// Of a filter: numbers and ranges of them.
        Ranges = b"@ranges";
        /// Of a filter: a key to sort by.
        SortKey = b"@sort-key";
        /// Of a filter: one character, which is no slash.
        Mark = b"@mark";
        /// Of a filter: one character.
        Character = b"@character";
        /// Of a filter: a text that can name no file outside the directory.
        PlainText = b"@plain";
        /// Of a filter: a pattern to look for, which is no path.
        Pattern = b"@pattern";
        /// `-C` of rustc.
        Codegen = b"@rustc-codegen";
    }
}

impl Use {
    /// The class that it stands for.
    pub(super) fn class(self) -> Option<Class> {
        Some(match self {
            Self::Reads => Class::Reads,
            Self::Writes => Class::Writes,
            Self::Connects | Self::Connect => Class::Connects,
            Self::Publishes => Class::Publishes,
            Self::Destroys => Class::Destroys,
            Self::Daemon => Class::Daemon,
            _ => return None,
        })
    }

    /// Whether an argument that cannot be told must not turn out to be an option with it. `named`: the argument can only be
    /// the name of a file in the directory, so that it leads to no path elsewhere.
    pub(super) fn matters(self, named: bool) -> bool {
        match self {
            Self::Text
            | Self::Number
            | Self::Read
            | Self::Listed
            | Self::Help
            | Self::Needed
            | Self::Recursive
            | Self::Tame
            | Self::Follows
            | Self::Names
            | Self::Heading
            | Self::Signs
            | Self::Reads
            | Self::Connect
            | Self::Connects => false,
            Self::Write | Self::Tree | Self::Target | Self::Writes | Self::Remove | Self::Unpack => !named,
            _ => true,
        }
    }
}
