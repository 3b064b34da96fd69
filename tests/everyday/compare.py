#!/usr/bin/env python3
"""Runs everyday commands in small projects twice, without walls and behind those of `toolctl sandbox run`, and compares
status, standard output and what is left in the workspace.

    compare.py --bin target/release/toolctl [--only GROUP] [--walls a] [-v]

Commands of a group run one after the other in the same project. What is not installed is skipped, with a line that says
so. `--walls a` runs inside another containment that refuses namespaces, so that only the rules for files stand.
"""

import argparse
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

# group: the programs it needs, what makes the project, the commands.
GROUPS = {
    "files": ([], "printf 'one\\ntwo\\nthree\\n' > a.txt; mkdir -p d/e; echo x > d/e/x; ln -s a.txt link", """
cat a.txt
cp a.txt b.txt
cp -a d copy
mv b.txt c.txt
ln a.txt hard
ln -s d/e there
mkdir -p p/q/r
touch -d 2020-01-02 c.txt
chmod 600 c.txt
sed -i 's/two/2/' c.txt
sort -r a.txt -o sorted.txt
split -l 1 a.txt part-
find . -name '*.txt' | sort
find . -name 'part-*' -delete
grep -rn one . | sort
rg -n --sort path one
wc -l a.txt
head -2 a.txt > h.txt
tail -1 a.txt | tee t.txt
tr a-z A-Z < a.txt > upper.txt
awk '{print NR": "$0}' a.txt > n.txt
diff a.txt c.txt
diff -u --label a --label b a.txt c.txt > change.patch
patch -o patched.txt a.txt change.patch
cmp a.txt hard
sha256sum a.txt
xargs -n1 echo < a.txt
install -m 755 a.txt bin.sh
rm -r copy
rmdir p/q/r
stat -c '%a %F' c.txt link
du -a d | cut -f2
tree d
df . > /dev/null
bash -c 'echo $((6*7)) > n; cat n'
bash -c 'f=$(mktemp); echo x > $f; cat $f; rm $f'
bash -c 'f=$(mktemp -p .); echo x > $f; cat $f; rm $f'
bash -c 'exec 9> lock; flock 9 echo locked'
bash -c 'mkfifo f; (echo through > f &); cat f; rm f'
bash -c 'sleep 30 & kill $!; wait $!; echo $?'
bash -c 'diff <(sort a.txt) <(sort -u a.txt) && echo same'
bash -c 'ulimit -n 200; ulimit -n'
bash -c 'echo $$ > /dev/null; [ -w /dev/null ] && echo ok'
timeout 5 true
nice -n 5 echo nice
nohup echo hup
env X=1 printenv X
jq -n '{a: 1}'
bc <<< '2^64'
m4 <<< 'define(x,y)x'
perl -pe 's/one/1/' a.txt
perl -i -pe 's/one/1/' c.txt
ruby -e 'File.write("r.txt", "r"); puts 1'
php -r 'file_put_contents("p.txt", "p"); echo 1;'
lua -e 'print(1)'
"""),
    "archives": (["tar"], "mkdir -p src/a; echo 1 > src/a/1; echo 2 > src/2; ln -s 2 src/link", """
tar -cf a.tar src
tar -tf a.tar
tar -czf a.tgz src
tar -cJf a.txz src
mkdir out
tar -xf a.tgz -C out
zip -qry a.zip src
unzip -q a.zip -d unzipped
rsync -a src/ synced/
rsync -a --delete src/a/ synced/
gzip -k src/2
xz -k src/2
zstd -q src/2
bzip2 -k src/2
zcat src/2.gz
openssl dgst -sha256 src/2
base64 src/2
"""),
    "git": (["git"], "git init -q --bare remote.git; git init -q -b main .; echo 1 > f; echo o > old; git add f old; git commit -qm one", """
git status --short
echo 2 >> f
git diff
git add f
git commit -qm two
git log --oneline
git checkout -q -b side
git mv old new
git commit -qam three
git switch -q main
git merge -q --no-edit side
git branch -d side
git tag -a v1 -m v1
git remote add origin ./remote.git
git push -q -u origin main
git push -q --tags
git fetch -q
git pull -q --rebase
git config user.nick n
git config pull.rebase true
git checkout -q -b topic HEAD~1
echo t > topic; git add topic; git commit -qm topic
git rebase -q main
git rebase -q --root --committer-date-is-author-date
git commit -q --amend -m topic2
git cherry-pick --allow-empty main
git reset -q --hard HEAD~1
git stash list
echo dirty > f; git stash -q; git stash pop -q
git restore f
git worktree add -q wt main
git -C wt status --short
git -C wt log --oneline -1
git worktree remove wt
git -c protocol.file.allow=always submodule add -q ./remote.git sub
git commit -qm sub
git submodule status
git -c protocol.file.allow=always submodule update --init -q
git submodule foreach -q pwd
git clone -q . ../ws/clone
git bisect start -q HEAD HEAD~2
git bisect good
git bisect reset -q
git rm -q --cached topic
git clean -fdq -e remote.git
git gc -q
git fsck
git archive HEAD | tar -t
git format-patch -1 -o patches
git apply --check patches/*.patch
git blame f
git shortlog -s HEAD
git notes add -m note
git sparse-checkout list
git revert --no-edit HEAD
git show --stat
git grep -n o
git ls-files
git rev-parse --show-toplevel
git describe --tags --always
git checkout -q main
git branch -D topic
git init -q nested
git push -q origin --delete v1
"""),
    "rust": (["cargo"], "true", """
cargo new -q --vcs none app
cargo new -q --lib --vcs none helper
cd app && cargo add -q --path ../helper
cd app && cargo build -q --offline
cd app && cargo run -q --offline
cd app && cargo test -q --offline
cd app && cargo check -q --offline
cd app && cargo build -q --release --offline
cd app && cargo tree --offline
cd app && cargo fmt
cd app && cargo clippy -q --offline
cd app && cargo metadata --offline --format-version 1 --no-deps | jq -r '.packages[].name'
cd app && cargo doc -q --offline --no-deps
cd app && cargo remove -q helper
cd app && cargo clean -q
rustc --crate-name one - -o one <<< 'fn main(){println!("1")}' && ./one
"""),
    "node": (["node", "npm"], "true", """
npm init -y --silent > /dev/null
npm pkg set scripts.test="node --test" scripts.build="node build.js"
npm pkg get scripts
echo "require('fs').writeFileSync('out.js','1')" > build.js
npm run --silent build
mkdir -p dep && echo '{"name":"dep","version":"1.0.0"}' > dep/package.json && echo 'module.exports=7' > dep/index.js
npm install --silent --offline ./dep
node -e "console.log(require('dep'))"
npm ls --silent --parseable --depth=0 | wc -l
npm pack --silent --dry-run
npm run --silent
npm uninstall --silent --offline dep
npm cache verify > /dev/null
node -e "require('child_process').execSync('echo sub',{stdio:'inherit'})"
node -e "const {Worker}=require('worker_threads'); new Worker('console.log(1)',{eval:true})"
node -e "require('fs').mkdtempSync(require('os').tmpdir()+'/x-'); console.log('ok')"
node -e "const h=require('http').createServer((q,r)=>r.end('hi')).listen(0,()=>fetch('http://127.0.0.1:'+h.address().port).then(r=>r.text()).then(t=>{console.log(t);h.close()}))"
node -e "const c=require('child_process').fork('-e',{execArgv:['-e','process.send(1)']}); c.on('message',m=>{console.log(m);c.disconnect()})"
npx --offline --no-install node -e 'console.log(2)'
corepack --version > /dev/null
"""),
    "pnpm": (["pnpm"], "mkdir dep; echo '{\"name\":\"dep\",\"version\":\"1.0.0\"}' > dep/package.json; echo '{\"name\":\"a\",\"dependencies\":{\"dep\":\"link:./dep\"},\"scripts\":{\"x\":\"echo x\"}}' > package.json", """
pnpm install --silent --offline
pnpm --silent run x
pnpm ls --depth 0 --parseable | wc -l
"""),
    "python": (["python3"], "printf 'def f():\\n    return 1\\n' > m.py; printf 'import m\\ndef test_f():\\n    assert m.f() == 1\\n' > test_m.py", """
python3 -c 'import m; print(m.f())'
python3 -m venv --without-pip .venv
.venv/bin/python -c 'import sys; print(sys.prefix.endswith(".venv"))'
python3 -m compileall -q .
python3 -m unittest -q 2>&1 | tail -1
python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs,[-1,-2]))'
python3 -c 'import multiprocessing as m; q=m.Queue(); p=m.Process(target=q.put,args=(1,)); p.start(); print(q.get()); p.join()'
python3 -c 'from multiprocessing import shared_memory as s; a=s.SharedMemory(create=True,size=9); print(a.size); a.close(); a.unlink()'
python3 -c 'import multiprocessing as m; x=m.Manager().list([1]); print(list(x))'
python3 -c 'from concurrent.futures import ProcessPoolExecutor as P; print(list(P(2).map(abs,[-3])))'
python3 -c 'import tempfile; f=tempfile.NamedTemporaryFile(); print(len(f.name)>0)'
python3 -c 'import sqlite3; c=sqlite3.connect("t.db"); c.execute("create table t(a)"); c.commit(); print(1)'
python3 -c 'import subprocess; print(subprocess.check_output(["echo","x"]).decode())'
python3 -c 'import asyncio; print(asyncio.run(asyncio.create_subprocess_exec("true")) is not None)'
python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(1)'
python3 -c 'import os; os.fork() or os._exit(0); os.wait(); print(1)'
python3 -c 'import os, signal; signal.alarm(0); os.kill(os.getpid(), 0); print(1)'
python3 -m http.server --help > /dev/null
python3 -m json.tool <<< '{"a":1}'
pip --version > /dev/null
pip download --no-index x 2> /dev/null
"""),
    "pytest": (["pytest"], "printf 'import multiprocessing as m\\ndef test_p(tmp_path):\\n    (tmp_path/\"x\").write_text(\"y\")\\n    assert m.Pool(2).map(abs,[-1])==[1]\\n' > test_p.py", """
pytest -q
pytest -q -p no:cacheprovider
pytest -q --junitxml=out.xml > /dev/null
pytest --collect-only -q
"""),
    "uv": (["uv"], "true", """
uv init -q --vcs none app
cd app && uv lock -q --offline
cd app && uv sync -q --offline
cd app && uv run -q --offline python -c 'print(1)'
uv venv -q v
uv pip list -q --offline --python v
"""),
    "sqlite": (["sqlite3"], "true", """
sqlite3 a.db 'create table t(a); insert into t values(1)'
sqlite3 a.db 'pragma journal_mode=wal; insert into t values(2); select count(*) from t'
sqlite3 a.db .dump
sqlite3 a.db 'vacuum into "b.db"'
"""),
    "go": (["go"], "true", """
go mod init example.org/a 2>/dev/null
printf 'package main\\nimport "fmt"\\nfunc main(){fmt.Println(1)}\\n' > main.go
go build -o a .
./a
go run .
go vet ./...
printf 'package main\\nimport "testing"\\nfunc TestA(t *testing.T){}\\n' > a_test.go
go test ./... > /dev/null
gofmt -l .
go mod tidy
go env GOOS
go list ./...
"""),
    "c": (["gcc", "make"], "printf 'int main(){return 0;}\\n' > m.c; printf 'all: m\\nm: m.c\\n\\tcc -o m m.c\\nclean:\\n\\trm -f m\\n' > Makefile; printf 'cmake_minimum_required(VERSION 3.10)\\nproject(m C)\\nadd_executable(mm m.c)\\nenable_testing()\\nadd_test(t mm)\\n' > CMakeLists.txt", """
make
make -j2
./m
make clean
gcc -c m.c
ar rcs libm.a m.o
gcc -g -o dbg m.c
clang -o cl m.c
nm -g m.o
strip dbg
cmake -S . -B build > /dev/null
cmake --build build > /dev/null
cd build && ctest -Q
ninja --version
cmake -G Ninja -S . -B nb > /dev/null
cmake --build nb > /dev/null
strace -o trace true
gdb -q -batch -ex 'break main' -ex run ./m | tail -1
gpg --version > /dev/null
"""),
}

VOLATILE = re.compile(
    r"^(\.git(/modules/[^/]+)?/(index|hooks|FETCH_HEAD|ORIG_HEAD|objects/pack|objects/info|gc\.pid|lost-found).*|clone/\.git/.*"
    r"|(.*/)?(target|build|nb|__pycache__|\.pytest_cache|\.git/worktrees|\.venv|v|node_modules/\.[^/]*)/.*|.*\.pyc|out\.xml|trace|.*/?uv\.lock"
    r"|cl|m|a|dbg|one|.*\.o|.*\.zip|.*\.t?gz|.*\.txz|.*\.tar)$")
NOISE = [(re.compile(r"\b\d+(\.\d+)?\s?m?s\b"), "T"), (re.compile(r"0x[0-9a-f]+"), "0x"), (re.compile(r"\(process \d+\)"), "(process N)"),
         (re.compile(r"process \d+"), "process N"), (re.compile(r"(?m)^Total Test time.*$"), "")]
ENV = {
    "LANG": "C.UTF-8", "TZ": "UTC", "USER": "u", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b", "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1", "GOPROXY": "off", "GOTOOLCHAIN": "local", "npm_config_update_notifier": "false",
    "npm_config_fund": "false", "npm_config_audit": "false", "CARGO_TERM_COLOR": "never", "CMAKE_COLOR_DIAGNOSTICS": "OFF",
}


def environment(root):
    env = {**ENV, "HOME": str(root / "home"), "PATH": os.environ["PATH"]}
    for name, place in [("RUSTUP_HOME", "~/.rustup"), ("PYENV_ROOT", "~/.pyenv")]:
        path = os.environ.get(name) or os.path.expanduser(place)
        if os.path.isdir(path):
            env[name] = path
    return env


def state(ws):
    found = {}
    for dirpath, dirs, files in os.walk(ws):
        for name in dirs + files:
            path = Path(dirpath, name)
            relative = str(path.relative_to(ws))
            if VOLATILE.match(relative):
                continue
            meta = path.lstat()
            what = stat.filemode(meta.st_mode)
            if stat.S_ISLNK(meta.st_mode):
                what += " -> " + os.readlink(path)
            elif stat.S_ISREG(meta.st_mode):
                what += " " + hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            found[relative] = what
    return found


def clean(text):
    for pattern, to in NOISE:
        text = pattern.sub(to, text)
    return text


def run_all(root, setup, commands, prefix):
    shutil.rmtree(root, ignore_errors=True)
    ws = root / "ws"
    ws.mkdir(parents=True)
    (root / "home").mkdir()
    env = environment(root)
    made = subprocess.run(["bash", "-ec", setup], cwd=ws, env=env, capture_output=True, text=True)
    if made.returncode:
        raise SystemExit(f"the project cannot be made: {made.stderr}")
    seen = []
    for command in commands:
        ran = subprocess.run(prefix(root) + ["bash", "-c", command], cwd=ws, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=300)
        seen.append((ran.returncode, clean(ran.stdout), ran.stderr, state(ws)))
    return seen


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", required=True)
    args.add_argument("--only")
    args.add_argument("--walls", choices=["ab", "a"], default="ab")
    args.add_argument("--network", choices=["host", "none"], default="host")
    args.add_argument("-v", action="store_true")
    args = args.parse_args()
    base = Path(tempfile.mkdtemp(prefix="toolctl-everyday-", dir=os.path.expanduser("~")))
    binary = shutil.copy(args.bin, base / "toolctl")
    root = base / "r"

    def contained(root):
        words = [str(binary), "--isolated", "--state-dir", str(base / "state"), "--set", f"sandbox.network={args.network}"]
        within = words + ["sandbox", "run", "--"]
        if args.walls == "ab":
            return within
        # Inside, namespaces are refused; what the outer walls let through is all of the base and the home directory.
        outer = [str(binary), "--isolated", "--state-dir", str(base) + "-outer", "--set", "sandbox.network=host"]
        return outer + ["sandbox", "run", "--workspace", str(base), "--", "env", "-u", "TOOLCTL_SHELL", "-C", str(root / "ws")] + within

    total, same, worse, skipped = 0, 0, 0, 0
    table = []
    try:
        for group, (needs, setup, text) in GROUPS.items():
            if args.only and args.only != group:
                continue
            missing = [n for n in needs if not shutil.which(n)]
            if missing:
                print(f"skipped: {group}: {', '.join(missing)} is not installed")
                continue
            commands = [line for line in text.splitlines() if line.strip()]
            there = []
            for command in commands:
                first = re.sub(r"^cd \S+ && ", "", command).split()[0]
                if "/" not in first and not shutil.which(first) and first not in ("cd", "printf", "echo", "ulimit"):
                    print(f"skipped: {command}: {first} is not installed")
                    skipped += 1
                else:
                    there.append(command)
            shutil.rmtree(base / "state", ignore_errors=True)
            free = run_all(root, setup, there, lambda root: [])
            within = run_all(root, setup, there, contained)
            good = 0
            before = set()
            for command, a, b in zip(there, free, within):
                total += 1
                keys = {k for k in a[3].keys() | b[3].keys() if a[3].get(k) != b[3].get(k)}
                new, before = keys - before, keys
                differs = [n for n, x, y in zip(("status", "stdout", "workspace"), (a[0], a[1], set()), (b[0], b[1], new)) if x != y]
                if not differs:
                    same += 1
                    good += 1
                    if args.v:
                        print(f"same ({a[0]}): {command}")
                    continue
                worse += 1
                print(f"DIFFERS in {', '.join(differs)}: {group}: {command}")
                if "status" in differs:
                    print(f"    {a[0]} -> {b[0]}: {b[2].strip()[-400:]}")
                elif "stdout" in differs:
                    print(f"    {a[1][-300:]!r} -> {b[1][-300:]!r}")
                else:
                    print("    " + "; ".join(f"{k}: {a[3].get(k)} -> {b[3].get(k)}" for k in sorted(new)[:6]))
            table.append((group, len(there), good, sum(1 for a in free if a[0] == 0)))
    finally:
        shutil.rmtree(base, ignore_errors=True)
        shutil.rmtree(str(base) + "-outer", ignore_errors=True)
    for group, count, good, worked in table:
        print(f"{group:10} {count:4} commands  {good:4} the same  {worked:4} succeed without walls")
    print(f"{total} commands: {same} the same, {worse} differ, {skipped} skipped")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
