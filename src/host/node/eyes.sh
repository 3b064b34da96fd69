# Answers questions about files, one after another, until its input ends. N, PATH and D are set in front of it.
LC_ALL=C
export PATH LC_ALL
exec 3<&0 </dev/null 2>/dev/null
e() { printf '\n%s %s\n' "$N" "$1"; }
F='%Y %Z'
case $(stat -L -c %.9Y /) in *[!0-9.]* | '') ;; *.*) F='%.9Y %.9Z' ;; esac
printf '%s\n' "$N"
printf '%s\n' "$(id -u)" "$(id -un)" "$HOME" "$F" "$(stat -L -c %d /)" "${D:-$HOME}"
e 0
while IFS= read -r q <&3; do
    case $q in
    f)
        set --
        while IFS= read -r p <&3 && [ -n "$p" ]; do set -- "$@" "$p"; done
        stat -c 'l %f %n' -- "$@"
        stat -L -c "t %d %i %f %u %g %h %s $F %n" -- "$@"
        e 0
        ;;
    r*) readlink -f -- "${q#r}"; e $? ;;
    h*) sha256sum <"${q#h}"; e $? ;;
    t*)
        q=${q#t}
        head -c "${q%% *}" -- "${q#* }"
        e $?
        ;;
    n*) cd -- "${q#n}" && find . -maxdepth 1 -print0; e $? ;;
    *) e 2 ;;
    esac
done
