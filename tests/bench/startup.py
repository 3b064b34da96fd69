#!/usr/bin/env python3
"""How long starting takes, against programs that everybody knows, as ratios of medians.

    tests/bench/startup.py target/release/toolctl [ROUNDS]

Each round starts every program once, in a random order, so that a busy machine is unfair to all of them alike.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
place = tempfile.mkdtemp()
call = json.dumps({"tool": "exec", "args": {"command": "true"}})
config = os.path.join(place, "config.yaml")
with open(config, "w", encoding="utf-8") as file:
    file.write("tools: {exec: {allowlist: ['true']}}\n")
own = [program, "--isolated", "--config", config, "--state-dir", os.path.join(place, "state")]
candidates = {
    "/bin/true": ["true"],
    "bash -c :": ["bash", "-c", ":"],
    "python3 -c pass": [os.path.realpath("/usr/bin/python3") if os.path.exists("/usr/bin/python3") else "python3", "-c", "pass"],
    "node -e 0": ["node", "-e", "0"],
    "toolctl --version": [program, "--version"],
    "toolctl list": [*own, "list"],
    "toolctl check": [*own, "check", call],
    "toolctl exec (true)": [*own, "exec", call],
}
commands = {name: argv for name, argv in candidates.items() if shutil.which(argv[0])}
taken = {name: [] for name in commands}
environment = {"PATH": os.environ["PATH"], "HOME": os.path.join(place, "home"), "TOOLCTL_FSYNC": "off"}
for turn in range(rounds + 2):
    order = list(commands)
    random.shuffle(order)
    for name in order:
        begin = time.perf_counter()
        subprocess.run(commands[name], cwd=place, env=environment, stdout=subprocess.DEVNULL, check=True)
        if turn >= 2:
            taken[name].append(time.perf_counter() - begin)
shutil.rmtree(place)
median = {name: statistics.median(times) for name, times in taken.items()}
print(f"{os.path.getsize(program) / 1e6:.1f} MB, {rounds} rounds")
print("| started | times `bash -c :` |\n|---|---|")
for name, time_taken in median.items():
    print(f"| `{name}` | {time_taken / median['bash -c :']:.1f} |")
