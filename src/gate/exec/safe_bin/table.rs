//! The profiles of safe bins: programs that read standard input and write standard output, with the options under which
//! they do nothing else.
//!
//! Options are written as in [`crate::shell::option::Grammar`]; the effect word is the type of the value. What is not
//! listed is refused: other letters, abbreviations, operands.

/// One program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    /// Its name.
    pub(super) name: &'static str,
    /// Its options and the types of their values.
    pub(super) spec: &'static str,
    /// Least and greatest number of operands; `-` (standard input) does not count.
    pub(super) operands: (usize, usize),
    /// Whether operands are texts of any kind (`tr`), not names.
    pub(super) texts: bool,
    /// An option that must be there; empty for none.
    pub(super) needs: &'static str,
    /// Arguments that are granted.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are run by the tests"))]
    pub(super) accepts: &'static [&'static str],
    /// Arguments that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are run by the tests"))]
    pub(super) refuses: &'static [&'static str],
}

const BASE: Profile = Profile {
    name: "",
    spec: "",
    operands: (0, 0),
    texts: false,
    needs: "",
    accepts: &[],
    refuses: &[],
};

/// Programs whose arguments are programs: never safe, whatever a profile says.
pub(super) const NEVER: &[&str] = &["awk", "gawk", "mawk", "nawk", "sed", "gsed", "jq"];

pub(super) static PROFILES: &[Profile] = &[
    Profile {
        name: "cut",
        spec: "b:|bytes:!list c:|characters:!list f:|fields:!list d:|delimiter:!char s|only-delimited complement output-delimiter:!text z|zero-terminated n",
        accepts: &[
            "-d : -f 1",
            "-d: -f1,2",
            "-d/ -f2",
            "-d ' ' -f2-",
            "-s -f1",
            "-sf1",
            "--complement -f1",
            "--fields=1 --delimiter=,",
            "-c1-3",
            "-d '' -f1",
            "-f1 -",
        ],
        refuses: &[
            "-f1 x",
            "-f1 -- x",
            "-f",
            "-b ./x",
            "-f a",
            "-d.. -f1",
            "--output-delimiter=/x -f1",
            "--delim=, -f1",
            "-q",
            "-5b 1",
            "-f1 /x",
        ],
        ..BASE
    },
    Profile {
        name: "grep",
        spec: "e:|regexp:!pattern m:|max-count:!int A:|after-context:!digits B:|before-context:!digits C:|context:!digits # i|y|ignore-case v|invert-match n|line-number \
               c|count o|only-matching q|quiet|silent w|word-regexp x|line-regexp E|extended-regexp F|fixed-strings G|basic-regexp h|no-filename H|with-filename \
               s|no-messages a|text b|byte-offset T|initial-tab Z|null U|binary L|files-without-match l|files-with-matches line-buffered no-ignore-case label:!text \
               color::|colour::!enum=always,never,auto binary-files:!enum=binary,text,without-match D:|devices:!enum=read,skip exclude:!text include:!text",
        needs: "e",
        accepts: &[
            "-e foo",
            "-i -e foo",
            "-ie x",
            "-m1 -e x",
            "--regexp=a",
            "-C 3 -e x",
            "-e '^a.*b'",
            "-c -e x -e y",
            "-nvE -e a",
            "-5 -e x",
            "--color=never -e x",
        ],
        refuses: &[
            "foo",
            "-r -e x",
            "-f x",
            "-fx",
            "-vf x",
            "--file=x",
            "--fil=x",
            "--binary x --binary y",
            "--exclude-from=x -e y",
            "-e x y",
            "-e x -- y",
            "-R -e x",
            "-d recurse -e x",
            "--directories=recurse -e x",
            "-he",
            "--ex x -e y",
            "-P -e x",
            "--regexp=/a/../b",
            "-5e x",
            "-z -e x",
            "--regex x",
        ],
        ..BASE
    },
    Profile {
        name: "head",
        spec: "n:|lines:!size c:|bytes:!size q|quiet|silent v|verbose z|zero-terminated #",
        accepts: &[
            "",
            "-n 3",
            "-5",
            "-20",
            "--lines=3",
            "-c 10",
            "-qn3",
            "-q -n 3",
            "-n -5",
            "-c 1K",
            "-",
            "-n1 -",
        ],
        refuses: &[
            "x",
            "-5c x",
            "-9999c x",
            "-- x",
            "-n ''",
            "-n /x",
            "-n a/../../x",
            "--lines x",
            "--byte 3",
            "-n1 x",
            "-n x",
            "/dev/fd/3",
            "-f",
        ],
        ..BASE
    },
    Profile {
        name: "sort",
        spec: "b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort n|numeric-sort R|random-sort \
               r|reverse s|stable u|unique V|version-sort z|zero-terminated c C m|merge debug k:|key:!key t:|field-separator:!mark S:|buffer-size:!size parallel:!digits batch-size:!digits \
               check::!enum=quiet,silent,diagnose-first sort:!enum=general-numeric,human-numeric,month,numeric,random,version",
        accepts: &[
            "",
            "-r",
            "-rn",
            "-u",
            "-n -k 2",
            "-k 2,2n",
            "-rk1",
            "-t, -k2",
            "--parallel=4",
            "--reverse",
            "-S 1M",
            "-t ' ' -k 1",
        ],
        refuses: &[
            "x",
            "-o x",
            "-ox",
            "-uo x",
            "-ro x",
            "--output=x",
            "--out=x",
            "--outp x",
            "-yk x",
            "-yt x",
            "-T x",
            "--compress-program=sh",
            "--compress-prog=sh",
            "--files0-from=x",
            "--files0-from=-",
            "--random-source=x",
            "-t /x",
            "-t /",
            "--r",
            "-k x/y",
        ],
        ..BASE
    },
    Profile {
        name: "tail",
        spec: "n:|lines:!size c:|bytes:!size q|quiet|silent v|verbose z|zero-terminated s:|sleep-interval:!decimal pid:!digits max-unchanged-stats:!digits #",
        accepts: &["", "-n 3", "-5", "-n +5", "--lines 1", "-c 10", "--pid=1", "-qn1"],
        refuses: &[
            "x",
            "-f",
            "-F",
            "--follow",
            "--follow=name",
            "--retry",
            "-fn1",
            "-5c x",
            "-s0xc x",
            "-5f",
            "+5",
            "-c+1 x",
            "--sleep-interval x",
            "-- x",
        ],
        ..BASE
    },
    Profile {
        name: "tr",
        spec: "c|C|complement d|delete s|squeeze-repeats t|truncate-set1",
        operands: (1, 2),
        texts: true,
        accepts: &[
            "a b",
            "a",
            "-d x",
            "-s a",
            "-cd 0-9",
            "'[:upper:]' '[:lower:]'",
            "/ _",
            "-- a b",
            "-d '\\n'",
            "-d '\"'",
        ],
        refuses: &["", "a b c", "-", "-x a", "--unknown", "--del a", "-d"],
        ..BASE
    },
    Profile {
        name: "uniq",
        spec: "c|count d|repeated D i|ignore-case u|unique z|zero-terminated f:|skip-fields:!digits s:|skip-chars:!digits w:|check-chars:!digits \
               group::!enum=separate,prepend,append,both all-repeated::!enum=none,prepend,separate",
        accepts: &["", "-c", "-d", "-cd", "-f1", "-w 3", "--group=both", "--count", "-"],
        refuses: &[
            "a",
            "a b",
            "--group in.txt",
            "--group x --group y",
            "--gr x",
            "- x",
            "-f x",
            "--group=../x",
            "-s:",
            "-cz9",
        ],
        ..BASE
    },
    Profile {
        name: "wc",
        spec: "c|bytes m|chars l|lines w|words L|max-line-length total:!enum=auto,always,only,never",
        accepts: &["", "-l", "-c", "-w", "-lw", "--lines", "-"],
        refuses: &[
            "x",
            "-l x",
            "--files0-from=x",
            "--files0-from=-",
            "--files0-fr=x",
            "--files0 x",
            "-lx",
            "-- x",
            "--li",
        ],
        ..BASE
    },
];

/// The profile of a program.
pub(super) fn find(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|p| p.name == name)
}
