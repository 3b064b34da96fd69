//! `awk` and `sed`, whose programs are read.

family! {
"
= awk gawk mawk nawk bwk original-awk goawk frawk
~ reads interpreter
- F|field-separator: v|assign:!@assignment e|source:!@awk b|characters-as-bytes c|traditional C|copyright g|gen-pot h|help L|lint:: t|lint-old M|bignum n|non-decimal-data N|use-lc-numeric O|optimize s|no-optimize P|posix r|re-interval S|sandbox V|version k|csv I|trace
- f|file:!load E|exec:!load i|include:!load l|load:!load W:!ask d|dump-variables::!ask o|pretty-print::!ask p|profile::!ask D|debug::!code
. @awk read*

= sed gsed ssed
~ interpreter plain
- n|quiet|silent E|r|regexp-extended e|expression:!@sed f|file:!load i|in-place::!in-place+{.bak,.orig,.old,.tmp,.backup,~,bak} l|line-length:!number s|separate u|unbuffered z|null-data debug posix sandbox b|binary follow-symlinks help!help version!help
. @sed change*
" examples "
+ awk '{print $1}' f
+ awk -F: '{print $1, $NF}' f
+ awk -F '\\t' 'NR>1 {print $2}' f
+ awk -v n=3 'NR==n' f
? awk 'BEGIN{system(\"x\")}'
? awk '{print > \"f\"}' f
? awk '{print | \"sh\"}' f
? awk -f p.awk f
? awk --source '{system(1)}'
? awk -e 'BEGIN{system(1)}'
? awk '{\"x\" | getline}' f
? awk -i inplace '{print}' f
? mawk -W exec x
? awk -dX '{print}' f
? awk -h 'BEGIN{system(1)}'
? awk --help 'BEGIN{system(1)}'
? awk --version 'BEGIN{system(1)}'
? gawk --ex=/dev/null --version
? awk -oX '{print}' f
+ sed -n '1,20p' f
+ sed s/a/b/ f
+ sed -e p f
+ sed --expression=p f
+ sed -i s/a/b/ f
+ sed -i.bak s/a/b/ f
? sed 'w f'
? sed --in-place='/etc/*' s/a/b/ f
? sed -i/etc/x s/a/b/ f
? sed '1e x' f
? sed 's/a/b/e' f
? sed 's/a/b/w f'
? sed --expression='1e x' f
? sed -f x.sed f
? sed -nf x.sed f
? sed e
? sed -ne '1e x' f
? sed -n '1r f'
";
}
