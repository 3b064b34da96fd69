//! Languages that run a script: what they are given besides its file asks.

family! {
"
= perl
~ writes leading interpreter project
- w W X c n p a l 0 1 2 3 4 5 6 7 8 9 s t T v!help V:: h|?!help g f C
- e:!code E:!code M:!load m:!load I:!load d::!code D:!ask F:!code i::!ask S!load U!ask u!ask x::!config
. script

= ruby jruby truffleruby rbx
~ writes whole leading interpreter project
- w W c n p a l s v d y U 0 1 2 3 4 5 6 7 8 9 T K h|help!help version!help copyright!help verbose disable: enable: yjit jit encoding: E: external-encoding: internal-encoding: debug backtrace-limit:!number parser:!{parse.y,prism}
- e:!code r:!load I:!load C:!config X:!config F:!code i::!ask S!load x::!config yydebug dump: debug-frozen-string-literal
. script

= irb pry erb
~ whole interpreter
- v|version!help h|help!help

= php php-cli php-cgi
~ writes whole leading interpreter project
- n|no-php-ini l|syntax-check s w|strip H|hide-args C q v|version!help h|?|help!help i|info!help m|modules!help ini!help rf|rfunction:!help rc|rclass:!help re|rextension:!help rz|rzendextension:!help ri|rextinfo:!help
- r|run:!code B|process-begin:!code R|process-code:!code E|process-end:!code F|process-file:!load f|file:!file d|define:!config c|php-ini:!config a|interactive!code S|server:!run t|docroot:!dir z|zend-extension:!load e b:!ask T:!number
. script

= phpdbg hhvm
~ run interpreter

= lua luajit luau texlua
~ writes leading interpreter project
- v E W e:!code l:!load i!input b:!code j:!load O::
. script

= tclsh wish jimsh itclsh
~ writes leading words whole interpreter
- encoding:
. script

= expect expectk
~ writes leading interpreter
- v|version!help n N d c:!code f:!file b:!file i!input D:!ask
. script

= R
~ writes whole interpreter
- version!help help!help h!help vanilla no-save save no-restore no-restore-data no-restore-history no-environ no-site-file no-init-file no-readline q|quiet silent slave s no-echo interactive verbose max-ppsize: min-nsize: min-vsize: encoding: g:!{Tk,X11} gui:!{Tk,X11}
- e:!code f:!file file:!file d:!run debugger:!run debugger-args:!ask args!ask arch: ess
> CMD
  >> build check INSTALL
     - no-manual no-build-vignettes no-vignettes no-tests no-examples as-cran no-docs no-html help!help version!help no-multiarch no-lock d|debug c|clean preclean l:!write library:!write o:!write output:!write
     . @requirement-file*
  >> config
     . text

= Rscript littler
~ writes whole leading interpreter project
- version!help help!help verbose vanilla no-save no-restore no-environ no-site-file no-init-file slave quiet no-echo e:!code default-packages:!load
. script

= julia
~ writes whole leading interpreter project
- v|version!help h|help!help help-hidden!help q|quiet banner:!text color: history-file: depwarn: warn-overwrite: warn-scope: p|procs:!number t|threads: gcthreads: project::!read startup-file:!{no} handle-signals: compiled-modules: pkgimages: O|optimize:: min-optlevel: g:: inline: check-bounds: math-mode: code-coverage:: track-allocation:: heap-size-hint:
- e|eval:!code E|print:!code L|load:!load H|home:!load J|sysimage:!load i!input machine-file:!config m|module:!load bug-report:!ask output-o:!write
. script

= guile racket scheme chibi-scheme gosh janet fennel newlisp elixir escript runghc runhaskell ocaml groovy octave zx coffee babel-node qjs d8 rhino jjs gjs raku perl6 io pike rexx regina forth gforth bpftrace m4 osascript swipl gnuplot
~ writes leading whole interpreter
- help!help version!help
. script

= sbcl clisp ecl ccl picolisp bb clojure clj utop iex erl ghci scala kotlin jrunscript maxima sage gp cscript wscript autohotkey dtrace stap emacs-lisp
~ run interpreter
- help!help version!help

= code code-insiders codium cursor passwd chpasswd chsh chfn usermod useradd userdel groupmod groupadd visudo easyrsa fastfetch neofetch screenfetch needrestart runscript smbclient virsh gtester bashbug cobc update-alternatives alternatives ssh-copy-id lwp-download lwp-request varnishncsa slsh sash puppet facter gimp dosbox sqlmap bee byebug easy_install opencode ansible-test ctr crash run-mailcap dvips minicom logrotate apache2 apache2ctl vipw vigr mutt alpine rpmverify rpmkeys
~ run
- help!help version!help

= cowsay cowthink
- f:!load e: T: W:!number n b d g p s t w y l h!help
. text*

= exiftool
~ words whole
- j json a n s S s2 s3 G G1 q r csv X T t b u ver!help list
. read*

= crystal nim
~ run interpreter
- h|help!help v|version!help

= lein
~ writes connects whole
- h|help!help v|version!help o
> test deps compile jar uberjar check clean classpath version help
  . text*
" examples "
+ guile x.scm
+ racket x.rkt
+ elixir x.exs
+ runghc x.hs
+ osascript x.scpt
+ lein test
? guile -c x
? racket -e x
? sbcl --eval x
? clisp -x x
? guile -
? clojure -e x
? elixir -e x
? erl -eval x
? groovy -e x
? swipl -g x
? osascript -e x
? bb '(shell \"x\")'
? lein run
? nim r x.nim
? slsh -e x
? puppet apply -e x
? sqlmap -u x --eval=y
? rpmverify --eval x
+ cowsay x
? cowsay -f ./x y
+ exiftool -j x.jpg
? exiftool -if x y.jpg
? exiftool -p x y.jpg
+ perl x.pl
+ perl -w x.pl -e y
+ perl -v
+ perl -c x.pl
? perl -e x
? perl -E x
? perl -ne x
? perl -we x
? perl -lane x
? perl -M-strict -e 1
? perl -MData::Dumper x.pl
? perl -Ilib x.pl
? perl -i x.pl
? perl -d x.pl
? perl5.36 -e x
? perl -
? perl --odd
? perl -0xAne x
? perl -x/d x
? perl -S x
? perl -CSDe x
? perl -Ce x
? perl -F/x/ x
+ ruby x.rb
+ ruby -w x.rb -e y
+ ruby --version
+ ruby -c x.rb
? ruby -e x
? ruby -ne x
? ruby -r ./e x.rb
? ruby -rx y.rb
? ruby -Ilib x.rb
? ruby -
? ruby -S x
? ruby -W0e x
? ruby -Kue x
? ruby -Tne x
? ruby -x/d x.rb
? ruby -C d x.rb
? ruby3.1 -e x
? ruby --odd x
? irb -r x
? pry -e x
+ php x.php
+ php -l x.php
+ php -v
+ php -f x.php
+ php artisan migrate
? php -f -
? php -f php://stdin
? php --file=/dev/stdin
? php -r x
? php -rx
? php -B x
? php -R x
? php -E x
? php -d a=b x.php
? php -nd a=b x.php
? php -a
? php -
? php8.2 -r x
? php --run x
? php --odd x
? php -S localhost:1
+ lua x.lua
+ lua -v
+ lua -E x.lua -e y
? lua -e x
? lua -ex
? lua5.4 -e x
? lua -l m x.lua
? lua -
? lua -i x.lua
? luajit -e x
? lua -ve x
+ tclsh x.tcl
? tclsh -odd x
? tclsh -
? expect -c x
? expect -dc x
? expect -
+ Rscript x.R
+ Rscript --vanilla x.R
? Rscript -e x
? R -e x
? Rscript -
? R --odd
? R -d gdb
? R --args x
+ R CMD check .
+ julia x.jl
+ julia --project=. x.jl
? julia -e x
? julia -E x
? julia -L x y.jl
? julia -qe x
? julia -J x y.jl
? julia --eval=x
";
}
