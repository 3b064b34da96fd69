//! Copying, moving and removing files.

family! {
"
= cp
~ writes
- a|archive attributes-only backup:: b copy-contents d f|force i|interactive H l|link L|dereference n|no-clobber P|no-dereference p
- preserve:: no-preserve: parents q r|R|recursive reflink:: remove-destination sparse: strip-trailing-slashes s|symbolic-link
- S|suffix: t|target-directory:!target T|no-target-directory u update:: v|verbose x|one-file-system Z context:: debug keep-directory-symlink
- help!help version!help
. read* write
" examples "
+ cp a b
+ cp -r a b c/
+ cp -at d a b
+ cp --update=older a b
? cp --odd a b
? cp -rO a b
";
}
