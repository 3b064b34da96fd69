//! Shells: which text or script they run, and what changes how they read it.
//!
//! The values of `-o` and `-O` that are listed leave a text what it is.

family! { wrapping
"
= bash rbash
~ bash leading whole cache-any
- a!odd b e f h k!odd m n p t u v x B!odd C E H!odd P!odd T D c!command-text i!startup l!startup r s!input norc noprofile posix!odd restricted verbose debug debugger!startup protected wordexp dump-strings dump-po-strings noediting login!startup rcfile:!startup init-file:!startup help!help version!help
- O:!{dotglob,failglob,globstar,inherit_errexit,nocaseglob,nullglob}
- o:!{errexit,errtrace,functrace,noclobber,noexec,noglob,notify,nounset,pipefail,verbose,xtrace}

= sh dash ash
~ posix leading whole cache-any
- a!odd b e f h m n p u v x C E I V c!command-text i!startup l!startup s!input norc noprofile posix login!startup help!help version!help
- o:!{errexit,errtrace,functrace,noclobber,noexec,noglob,notify,nounset,pipefail,verbose,xtrace}

# Of these, no files are read before the command but by options.
= ksh ksh93 mksh
~ leading whole
- c!command-text command:!code e f x v u n p s!input i!startup l!startup o: norc login!startup help!help version!help no-config N

= hush lksh oksh pdksh rksh zsh rzsh yash posh fish csh tcsh bsh rc es elvish nu xonsh osh ysh pwsh powershell powershell.exe pwsh.exe cmd cmd.exe
~ startup leading whole cache-any
- c!command-text command:!code e f x v u n p s!input i!startup l!startup o: norc login!startup help!help version!help no-config N
" examples "
? zsh -c x
? ksh -c x
? pwsh -c x
? fish --init-command=x -c y
? bash -lc x
? sh -s
? dash
"; }
