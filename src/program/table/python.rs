//! Python.

family! {
"
= python pypy jython micropython graalpy
~ writes whole leading interpreter project python-scripts own-scripts cache-home
- b B d E I!tame O OO P!tame q R s S u v x V!help h|?!help version!help help!help help-all!help help-env!help help-xoptions!help check-hash-based-pycs:!{always,default,never}
- c:!code m:!@python-module i!input W:!@python-warning X:!@python-x
. script

= ipython
~ writes whole leading interpreter project
- h|help!help version!help
. script

= python-m/unittest
~ writes project
- v|verbose q|quiet f|failfast c|catch b|buffer k: locals durations:!number h|help!help
. @unittest*
> discover
  - v|verbose q|quiet f|failfast c|catch b|buffer k: locals s|start-directory:!dir p|pattern:!text t|top-level-directory:!dir durations:!number h|help!help
  . dir text dir

= python-m/json.tool
- sort-keys no-ensure-ascii json-lines indent:!number tab no-indent compact h|help!help
. read write

= python-m/venv python-m/virtualenv
~ writes connects
- system-site-packages symlinks copies clear upgrade without-pip prompt: upgrade-deps without-scm-ignore-files h|help!help
. write*

= python-m/py_compile python-m/tokenize python-m/tabnanny python-m/pyclbr
~ writes
- q|quiet e|exact v h|help!help
. read*

= python-m/compileall
~ writes
- l r:!number f q b j|workers:!number x: invalidation-mode: h|help!help
. tree*

= python-m/site
- user-base user-site

= python-m/calendar python-m/platform python-m/this python-m/sysconfig
- t|type: w:!number l:!number s:!number m:!number h|help!help
. number*

= python-m/http.server
~ connects
- b|bind: d|directory:!dir p|protocol: cgi!run h|help!help
. number

= python-m/build
~ writes connects
- s|sdist w|wheel o|outdir:!write n|no-isolation x|skip-dependency-check v|verbose V|version!help h|help!help
. dir

= python-m/pip
~ connects whole
- V|version!help h|help!help
> list show freeze check help
  - format:!{columns,freeze,json} o|outdated u|uptodate e|editable l|local user pre not-required exclude:!text f|files v|verbose q|quiet all include-editable
  . text*
> index
  >> versions
     - pre json
     . @name
> install
  ~ writes
  - r|requirement:!@requirement-file q|quiet v|verbose U|upgrade no-deps no-cache-dir disable-pip-version-check no-input user
" examples "
+ python3 -m pip list
+ python3 -m pip install -r requirements.txt
+ python3 -m http.server 8000
+ python3 -m ruff check .
? python3 -m pip install x
? python3 -m zipfile -e a b
? python3 -m compileall -d x
? python3 -X frozen_modules=x/y z.py
+ python3 x.py
+ python3 -u x.py -c y
+ python -V
+ python3.11 -W error x.py
+ python3 -m pytest -q
+ python3 -m json.tool f
+ python3 -m unittest discover
+ python3 -m unittest discover -s tests -v
+ python3 -m unittest tests.test_a.TestB
+ python3 -m unittest tests/test_a.py
+ python3 -m unittest
? python3 -m unittest antigravity
? python3 -m unittest /tmp/test_x.py
? python3 -m unittest ../test_x.py
+ python3 -m venv .venv
+ python3 -- x.py
+ python3 -X dev x.py
+ python3
? python3 -c x
? python3 -cx
? python3 -Bc x
? python3 -Ic x
? python3.11 -c x
? python3 -
? python3 /dev/stdin
? python3 -m timeit x
? python3 -mtimeit
? python3 -i x.py
? python3 --odd x.py
? python3 -X presite=x y.py
? python3 -Xpresite=x y.py
? pypy3 -c x
? python3.12t -c x
? python3 -W error::a.b x.py
? python3 -X pycache_prefix=d x.py
? python3 -m pylint --init-hook=x y
? python3 -m mypy --config-file f x
? python3 -m tox -c f
? python3 -m pip install -r http://x/y
? python3 -m pdb x.py
? python3 -m code
? python3 -Sm code
? python3 -m http.server --bind 0 -m x
";
}
