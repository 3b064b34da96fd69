//! Editors and debuggers: whatever they are given may be a command to them.

family! {
"
= ed red
~ interpreter commands
- help!help version!help
. ask*

= vi vim nvim view vimdiff gvim rvim ex elvis nvi
~ interpreter commands
- h|help!help version!help
. ask*

= emacs emacsclient
~ interpreter commands
- help!help version!help V!help
. ask*

= nano pico joe mcedit micro kak hx helix
~ interpreter commands
- help!help version!help
. ask*

= gdbtui radare2 r2 rr
~ interpreter commands whole
- help!help version!help
. ask*
" examples "
+ vim --version
? vim f
? vim '+!x' f
? vim -c x f
? vim -es f
? ed '!x'
? ed f
? ex -sc x
? nvim --cmd x
? emacs --eval x
? emacs --batch -l x
? nano f
? gdb -ex x
? gdb -batch -x f
? gdb --eval-command=x
? gdb -nx -ex 'shell id'
? lldb -o x
";
}
