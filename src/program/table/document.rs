//! Documents: manuals, conversion, typesetting, previews.

family! {
"
= man
- k|apropos f|whatis w|where|path|location W|where-cat|location-cat c|catman D|default d|debug K|global-apropos R|recode: L|locale: m|systems: M|manpath:!config S|s|sections: e|extension: i|ignore-case I|match-case regex wildcard names-only a|all u|update no-subpages 7|ascii E|encoding: no-hyphenation nh no-justification nj Z|ditroff warnings:: h|help!help V|version!help usage!help
- P|pager:!run H|html::!run C|config-file:!config l|local-file!ask r|prompt:!ask p|preprocessor:!run t|troff!ask T|troff-device::!ask X|gxditview::!run
. @name*

= apropos whatis
- d|debug v|verbose e|exact r|regex w|wildcard a|and l|long s|section|sections: m|systems: M|manpath:!config L|locale: C|config-file:!config h|?|help!help V|version!help usage!help
. text*

= info
- help!help version!help
. @name*

= pandoc
~ writes whole
- f|from|r|read:!@name t|to|w|write:!@name o|output:!write s|standalone template:!read V|variable: M|metadata: metadata-file:!read toc table-of-contents toc-depth:!number N|number-sections number-offset: shift-heading-level-by:!number top-level-division: p|preserve-tabs tab-stop:!number wrap: columns:!number eol: highlight-style:!@name no-highlight H|include-in-header:!read B|include-before-body:!read A|include-after-body:!read c|css: i|incremental slide-level:!number section-divs email-obfuscation: id-prefix: T|title-prefix: reference-doc:!read reference-links reference-location: ascii markdown-headings: listings html-q-tags epub-cover-image:!read epub-metadata:!read epub-subdirectory: epub-chapter-level:!number split-level:!number ipynb-output: C|citeproc bibliography:!read csl:!read citation-abbreviations:!read natbib biblatex mathml mathjax:: katex:: gladtex webtex:: self-contained embed-resources resource-path: extract-media:!write strip-comments strip-empty-paragraphs indented-code-classes: default-image-extension: file-scope sandbox dump-args ignore-args quiet verbose fail-if-warnings log:!write trace track-changes:
- F|filter:!run L|lua-filter:!code d|defaults:!config data-dir:!config pdf-engine:!run pdf-engine-opt:!run syntax-definition:!ask abbreviations:!read request-header: no-check-certificate!ask print-default-template!ask print-default-data-file!ask
- h|help!help v|version!help list-input-formats!help list-output-formats!help list-extensions::!help list-highlight-languages!help list-highlight-styles!help
. read*

= pdflatex latex tex pdftex xelatex xetex platex uplatex
~ writes words whole
- help!help version!help interaction:!{batchmode,nonstopmode,scrollmode,errorstopmode} halt-on-error no-halt-on-error file-line-error no-file-line-error jobname:!@name output-directory:!write aux-directory:!write output-format: synctex: draftmode recorder no-shell-escape shell-restricted quiet no-pdf
- shell-escape!run enable-write18!run fmt:!load ini!ask progname:!ask translate-file:!load tcx:!load cnf-line:!config kpathsea-debug: mktex:!ask output-comment: parse-first-line!ask
. \\>code &>code read

= lualatex luatex dvilualatex
~ run interpreter
- help!help version!help

= latexmk
~ writes words whole project
- help!help h!help version!help v!help pdf pdflua pdfxe pdfdvi pdfps dvi ps c C CA g gg f quiet silent verbose interaction: halt-on-error file-line-error synctex: shell-escape!run outdir:!write output-directory:!write auxdir:!write aux-directory:!write out2dir:!write emulate-aux-dir cd cd- bibtex bibtex- bibtex-cond deps deps-out:!write recorder nobibtex norc lualatex xelatex pv- view:!{none} jobname:!@name time rules logfilewarnings
. \\>code read*

= bibtex biber makeindex
~ writes words whole
- help!help version!help h!help v!help terse min-crossrefs: q quiet o:!write s:!read t:!write c g i l r output-file:!write output_file:!write input-directory:!read output-directory:!write
. read*

= gs ghostscript
~ interpreter words whole
- help!help version!help h!help v!help
. ask*

= bat batcat
- l|language: H|highlight-line: n|number A|show-all p|plain style: theme: theme-dark: theme-light: r|line-range: color: decorations: paging:!{never,auto,always} P|no-paging wrap: S|chop-long-lines tabs: d|diff diff-context:!number L|list-languages list-themes f|force-colorization file-name: strip-ansi: s|squeeze-blank squeeze-limit:!number u|unbuffered ignored-suffix:!text m|map-syntax: nonprintable-notation: terminal-width: italic-text: diagnostic set-terminal-title no-config binary: V|version!help h|help!help
- pager:!run config-file config-dir cache-dir generate-config-file!ask lessopen!run no-lessopen acknowledgements
. read*

= delta
- s|side-by-side n|line-numbers light dark color-only diff-highlight diff-so-fancy raw keep-plus-minus-markers w|width: max-line-length:!number file-style: hunk-style: syntax-theme:!@name tabs:!number true-color: wrap-max-lines: relative-paths no-gitconfig paging:!{never,auto} list-languages list-syntax-themes show-config show-colors h|help!help V|version!help
. read*

= fzf sk
- f|filter:!text q|query: e|exact i i|ignore-case +i x|extended no-extended algo: literal scheme: n|nth: with-nth: d|delimiter: no-sort track tac tiebreak: m|multi:: no-multi 1|select-1 0|exit-0 print0 read0 print-query ansi sync height: layout: reverse border:: margin: padding: info: prompt: pointer: marker: header:!text header-lines:!number cycle no-mouse keep-right hscroll-off: no-hscroll no-color no-bold black tabstop:!number color: help!help version!help h!help

= protoc
~ writes whole
- I:!read proto_path:!read encode: decode: decode_raw descriptor_set_in:!read o:!@archive descriptor_set_out:!@archive include_imports include_source_info retain_options dependency_out:!write error_format: fatal_warnings deterministic_output print_free_field_numbers direct_dependencies: cpp_out:!@archive csharp_out:!@archive java_out:!@archive kotlin_out:!@archive objc_out:!@archive php_out:!@archive pyi_out:!@archive python_out:!@archive ruby_out:!@archive rust_out:!@archive cpp_opt: csharp_opt: java_opt: kotlin_opt: objc_opt: php_opt: pyi_opt: python_opt: ruby_opt: experimental_allow_proto3_optional h|help!help version!help
- plugin:!run
. @>config read*
" examples "
+ man ls
+ man 3 printf
+ man -k x
+ apropos x
+ pandoc x.md -o x.html
+ pandoc -f markdown -t html x.md
+ pdflatex -interaction=nonstopmode x.tex
+ latexmk -pdf x.tex
+ bat -n x.rs
+ fzf -f x
+ protoc --python_out=gen x.proto
? man -P x ls
? man --pager=x ls
? man -Hx ls
? man --pag x ls
? man -C f ls
? man -l ./x
? pandoc --lua-filter=x y
? pandoc -F x y
? pandoc -t ./x.lua y
? pandoc -t x.lua y
? pandoc --pdf-engine=./x y -o z.pdf
? pandoc -d x
? pdflatex --shell-escape x
? pdflatex -shell-escape x
? pdftex -shell-escape x
? pdflatex '\\\\input|x'
? lualatex x
? latexmk -e x
? latexmk -r f x.tex
? latexmk -pdflatex=x y.tex
? bat --pager=x f
? fzf --preview x
? fzf --bind 'start:execute(x)'
? fzf --listen 1
? protoc --plugin=x y
? protoc --go_out=. y
? protoc @args
? gs x
";
}
