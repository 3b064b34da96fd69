//! Secrets among the arguments of programs: `curl -u name:password`, `mysql -p…`, `openssl … -passin pass:…`.
//!
//! One row per family of programs. A word is an argument only after its program's name on the same line.

use super::bytes::{at, cut, is_quote, take};
use super::hit::Hit;
use super::look::{is_filled_in, is_prose};

/// What an option's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// The secret.
    Whole,
    /// The secret, in the option's own word: `-pVALUE`.
    Attached,
    /// The secret, in the option's own word or after it.
    Either,
    /// A name, this byte, the secret.
    After(u8),
    /// `pass:VALUE`, where other words say where the secret is.
    Source,
    /// `name=value; name=value`
    Cookie,
}

/// A family of programs.
pub(super) struct Row {
    /// Their names.
    pub(super) programs: &'static [&'static str],
    options: &'static [(&'static str, Holds)],
}

pub(super) const ROWS: &[Row] = &[
    Row {
        programs: &["curl", "xh", "http", "https", "httpie", "curlie", "wget", "ab", "siege"],
        options: &[
            ("-u", Holds::After(b':')),
            ("--user", Holds::After(b':')),
            ("-U", Holds::After(b':')),
            ("--proxy-user", Holds::After(b':')),
            ("-a", Holds::After(b':')),
            ("-A", Holds::After(b':')),
            ("--auth", Holds::After(b':')),
            ("-b", Holds::Cookie),
            ("--cookie", Holds::Cookie),
        ],
    },
    Row {
        programs: &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlshow",
            "mysqlsh",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
            "mycli",
            "xtrabackup",
            "mydumper",
        ],
        options: &[("-p", Holds::Attached)],
    },
    Row {
        programs: &["sshpass"],
        options: &[("-p", Holds::Either)],
    },
    Row {
        programs: &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "cqlsh",
            "influx",
            "arangosh",
            "rdesktop",
            "ncftpget",
            "ncftpput",
            "vncpasswd",
            "plink",
            "pscp",
            "winexe",
            "evil-winrm",
            "crackmapexec",
            "nxc",
            "mosquitto",
            "ipmitool",
            "winrs",
        ],
        options: &[("-p", Holds::Whole), ("-pw", Holds::Whole), ("-P", Holds::Whole)],
    },
    Row {
        programs: &["login"], // docker, podman, helm, oras, skopeo, az, oc, cf
        options: &[("-p", Holds::Whole)],
    },
    Row {
        programs: &["redis-cli", "valkey-cli", "keydb-cli", "redis-benchmark"],
        options: &[("-a", Holds::Whole)],
    },
    Row {
        programs: &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldappasswd",
            "ldapwhoami",
            "ldapcompare",
            "ldapmodrdn",
        ],
        options: &[("-w", Holds::Either)],
    },
    Row {
        programs: &["smbclient", "rpcclient", "net", "smbget", "smbmap", "wmic", "winexe"],
        options: &[("-U", Holds::After(b'%')), ("--user", Holds::After(b'%'))],
    },
    Row {
        programs: &["openssl"],
        options: &[
            ("-passin", Holds::Source),
            ("-passout", Holds::Source),
            ("-pass", Holds::Source),
            ("-password", Holds::Source),
            ("-k", Holds::Whole),
        ],
    },
    Row {
        programs: &["7z", "7za", "7zz", "rar", "unrar"],
        options: &[("-p", Holds::Attached), ("-hp", Holds::Attached)],
    },
    Row {
        programs: &[
            "zip",
            "unzip",
            "sqlcmd",
            "bcp",
            "tsql",
            "mosquitto_pub",
            "mosquitto_sub",
            "isql",
        ],
        options: &[("-P", Holds::Either)],
    },
    Row {
        programs: &["lftp"],
        options: &[("-u", Holds::After(b','))],
    },
    Row {
        programs: &["xfreerdp", "xfreerdp3", "wlfreerdp"],
        options: &[("/p:", Holds::Attached)],
    },
    Row {
        programs: &["useradd", "usermod", "chpasswd"],
        options: &[("-p", Holds::Whole)],
    },
    Row {
        programs: &[
            "gpg",
            "gpg2",
            "ansible-vault",
            "restic",
            "borg",
            "keytool",
            "jarsigner",
            "signtool",
        ],
        options: &[
            ("--passphrase", Holds::Whole),
            ("-storepass", Holds::Whole),
            ("-keypass", Holds::Whole),
            ("-srcstorepass", Holds::Whole),
            ("-deststorepass", Holds::Whole),
            ("/p", Holds::Whole),
        ],
    },
];

/// Programs whose last word is a secret, how many words stand before it, and what has to be among them.
pub(super) const LAST: &[(&str, usize, &str)] = &[
    ("htpasswd", 3, "b"),
    ("rabbitmqctl", 3, "add_user"),
    ("rabbitmqctl", 3, "change_password"),
    ("rabbitmqctl", 3, "authenticate_user"),
    ("vault", 2, "login"),
    ("aws", 4, "aws_secret_access_key"),
    ("aws", 4, "aws_session_token"),
    ("redis-cli", 2, "AUTH"),
    ("npm", 4, "_authToken"),
    ("git", 4, "extraheader"),
];

/// One word of a command: its place without quotes, brackets and commas around it.
#[derive(Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
}

/// Collects the secrets among the arguments on a line.
pub(super) fn scan(line: &[u8], mut found: impl FnMut(Hit)) {
    let words = words(line);
    let text = |word: &Word| cut(line, word.start, word.end);
    for (i, word) in words.iter().enumerate() {
        let name = program(text(word));
        let rest = words.get(i + 1..).unwrap_or_default();
        for row in ROWS
            .iter()
            .filter(|row| row.programs.iter().any(|p| p.as_bytes() == name))
        {
            options(line, rest, row, &mut found);
        }
        for (_, before, needs) in LAST.iter().filter(|row| row.0.as_bytes() == name) {
            let rest = rest
                .get(..rest.iter().position(|w| ends(text(w))).unwrap_or(rest.len()))
                .unwrap_or_default();
            let needed = |w: &Word| super::bytes::find(text(w), 0, needs.as_bytes()).is_some();
            if let Some(last) = rest.last()
                && rest.len() >= *before
                && rest.get(..rest.len() - 1).is_some_and(|lead| lead.iter().any(needed))
            {
                value(line, last.start, last.end, &mut found);
            }
        }
    }
}

fn options(line: &[u8], words: &[Word], row: &Row, found: &mut impl FnMut(Hit)) {
    for (i, word) in words.iter().enumerate() {
        let text = cut(line, word.start, word.end);
        if ends(text) {
            return; // another command
        }
        for (option, holds) in row.options {
            let option = option.as_bytes();
            let attached = text.len() > option.len() && text.starts_with(option);
            let next = (text == option).then(|| words.get(i + 1)).flatten();
            let (start, end) = match (holds, next) {
                (Holds::Attached | Holds::Either, None) if attached => (word.start + option.len(), word.end),
                (Holds::Attached, _) | (_, None) if !(attached && matches!(holds, Holds::After(_))) => continue,
                (_, Some(next)) => (next.start, next.end),
                // `-uname:password`, `--user=name:password`
                (_, None) => (
                    word.start + option.len() + usize::from(at(text, option.len()) == b'='),
                    word.end,
                ),
            };
            if at(line, start) == b'-' {
                continue;
            }
            match holds {
                Holds::Whole | Holds::Attached | Holds::Either => value(line, start, end, found),
                Holds::After(sign) => {
                    let split = take(line, start, |b| b != *sign);
                    // `-u http://…` names no user.
                    if split < end && cut(line, split, split + 3) != b"://" {
                        value(line, split + 1, end, found);
                    }
                }
                Holds::Source => {
                    if cut(line, start, end).starts_with(b"pass:") {
                        value(line, start + 5, end, found);
                    }
                }
                Holds::Cookie => super::record::cookie_pairs(line, start, end, found),
            }
        }
    }
}

fn value(line: &[u8], start: usize, end: usize, found: &mut impl FnMut(Hit)) {
    let start = start + usize::from(is_quote(at(line, start)));
    let value = cut(line, start, end);
    let option = value.starts_with(b"-") || value.starts_with(b"/") || value.starts_with(b"@");
    if value.is_empty() || option || is_filled_in(value) || is_prose(value) || super::mask::is_masked(value) {
        return;
    }
    // `$PASSWORD`, `$(…)`, and words of a manual.
    let manual = ["password", "passwd", "pass", "secret", "PASSWORD", "pwd"]
        .iter()
        .any(|w| w.as_bytes() == value);
    if at(line, start) != b'$' && !manual && value.iter().any(u8::is_ascii_alphanumeric) {
        found(Hit::chosen((start, end), "password"));
    }
}

/// The last part of a program's path, without what ends the command before it: `: 1700000000:0;mysql`.
fn program(word: &[u8]) -> &[u8] {
    let lead = |b: &u8| matches!(b, b'/' | b';' | b'|' | b'&' | b'(' | b'`');
    let from = word.iter().rposition(lead).map_or(0, |p| p + 1);
    word.get(from..).unwrap_or_default()
}

fn ends(word: &[u8]) -> bool {
    matches!(word, b"|" | b"||" | b"&&" | b";" | b"&" | b">" | b">>" | b"<" | b"2>&1")
}

/// The words of a line, in quotes or between blanks.
fn words(line: &[u8]) -> Vec<Word> {
    const MAX: usize = 4096;
    let mut words = Vec::new();
    let mut i = 0;
    while i < line.len() && words.len() < MAX {
        i = take(line, i, |b| b.is_ascii_whitespace() || matches!(b, b'[' | b',' | b'('));
        if is_quote(at(line, i)) {
            let quote = at(line, i);
            let near = cut(line, 0, (i + MAX).min(line.len()));
            let end = take(near, i + 1, |b| b != quote);
            if end < near.len() {
                // A command in quotes has words of its own.
                if cut(line, i, end).contains(&b' ')
                    && words.last().is_none_or(|w: &Word| {
                        let before = cut(line, w.start, w.end);
                        !before.starts_with(b"-") || before.len() <= 4 && before.ends_with(b"c")
                    })
                {
                    i += 1;
                    continue;
                }
                words.push(Word { start: i + 1, end });
                i = end + 1;
                continue;
            }
        }
        let mut end = take(line, i, |b| !b.is_ascii_whitespace());
        let start = i;
        i = end;
        while end > start && matches!(at(line, end - 1), b',' | b';' | b')' | b']' | b'"' | b'\'' | b'`') {
            end -= 1;
        }
        let quote = usize::from(is_quote(at(line, start)));
        if end > start + quote {
            words.push(Word {
                start: start + quote,
                end,
            });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::hit::texts;
    use super::*;

    fn found(line: &str) -> Vec<&str> {
        texts(line, |found| scan(line.as_bytes(), found))
    }

    #[test]
    fn every_family_hides_its_secret() {
        for line in [
            "curl -u admin:s3cr3tpw https://h/",
            "curl -sS --user 'admin:s3cr3tpw' https://h/",
            "/usr/bin/curl -uadmin:s3cr3tpw x",
            "mysql -h db -u root -ps3cr3tpw app",
            "sshpass -p s3cr3tpw ssh u@h",
            "sshpass -p's3cr3tpw' ssh u@h",
            "docker login -u me -p s3cr3tpw registry.example.org",
            "redis-cli -h r -a s3cr3tpw ping",
            "mongosh -u root -p s3cr3tpw",
            "ldapsearch -D cn=x -w s3cr3tpw -b dc=y",
            "smbclient //h/s -U me%s3cr3tpw",
            "openssl rsa -in k.pem -passin pass:s3cr3tpw",
            "7z a -ps3cr3tpw x.7z y",
            "zip -P s3cr3tpw x.zip y",
            "sqlcmd -S h -U sa -P s3cr3tpw",
            "lftp -u me,s3cr3tpw ftp://h",
            "htpasswd -bB users me s3cr3tpw",
            "rabbitmqctl add_user me s3cr3tpw",
            "aws configure set aws_secret_access_key s3cr3tpw",
            "vault login s3cr3tpw",
            "keytool -list -storepass s3cr3tpw",
            "[\"curl\", \"-u\", \"me:s3cr3tpw\", \"https://h\"]",
            "sh -c \"mysql -ps3cr3tpw db\"",
        ] {
            let line = line.to_owned();
            assert_eq!(found(&line), ["s3cr3tpw"], "{line}");
        }
    }

    #[test]
    fn other_arguments_stay() {
        for line in [
            "curl -u \"$USER:$PASS\" https://h/",
            "curl -u admin https://h/",
            "mysql -p app",
            "mysql -u root -p",
            "docker run -p 8080:80 nginx",
            "docker login -u me --password-stdin",
            "mkdir -p a/b && curl -o x y",
            "ssh -p 2222 host",
            "openssl rsa -passin env:PW -in k",
            "cp -a x y | redis-cli ping",
            "curl is used with -u and a name",
            "git log -p main",
            "vault login -method=oidc",
            "tar -xpf a.tar",
            "ps -u root:root",
        ] {
            let line = line.to_owned();
            assert_eq!(found(&line), Vec::<&str>::new(), "{line}");
        }
    }
}
