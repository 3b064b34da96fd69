//! Go.

family! {
"
= go
~ writes connects words whole cache-home cache-go
- C:!dir
> run
  ~ leading
  - @go-build
  . @go-target text*
> build install vet test list get generate fix
  - @go-build
  . @go-target*
> mod
  >> tidy download verify vendor graph why edit init
     - v e go: compat: diff x json print fmt module: require: droprequire: exclude:!text dropexclude:!text replace:!text dropreplace:!text retract: dropretract: m vendor o:!write reuse: toolchain: godebug: dropgodebug: tool: droptool: ignore:!text dropignore:!text C:!dir
     . @go-target*
> work
  >> sync use init vendor
     - r v e o:!write
     . text*
  >> edit
     - json print fmt go: use:!text dropuse:!text replace:!text dropreplace:!text toolchain: godebug: dropgodebug:
     . @go-target*
> env
  - json changed w!config u!config
  . text*
> version
  - m v json
  . read*
> fmt
  - n x mod:
  . @go-target*
> doc
  - all c cmd short src u http!daemon ex
  . text*
> clean
  - i r n x cache testcache modcache fuzzcache
  . text*
> help
  . @name*
> telemetry
  . {off,local}
> tool
  >> cover
     - func:!read html:!run mode: o:!write
     . read
  >> nm size objdump addr2line test2json buildid
     - n size sort: type s: S gnu t p:
     . read*
> bug
  ~ run

= @go-build
- C:!dir a n x v work race msan asan cover covermode: coverpkg: p:!number asmflags:!@compiler-flags buildmode: buildvcs:: compiler:!{gc} gcflags:!@compiler-flags gccgoflags:!ask installsuffix: json linkshared mod: modcacherw modfile:!config overlay:!config pgo: pkgdir:!write tags: trimpath toolexec:!run o:!write ldflags:!@compiler-flags
- run: bench: benchtime: benchmem count:!number cpu: failfast fullpath fuzz: fuzztime: fuzzminimizetime: list: parallel:!number short shuffle: skip:!text timeout: vet: artifacts coverprofile:!write cpuprofile:!write memprofile:!write memprofilerate: blockprofile:!write blockprofilerate: mutexprofile:!write mutexprofilefraction: outputdir:!write trace:!write c exec:!run vettool:!run fixtool:!run fix diff
- f: m deps find test e versions u t d export compiled reuse: retracted insecure!ask args

= gofmt goimports gofumpt
~ writes words
- d e l s w r: cpuprofile:!write local: extra v srcdir:!read
. write*

= golangci-lint
~ writes connects whole global project cache-go
- h|help!help version!help v|verbose color: mem-profile-path:!write cpu-profile-path:!write trace-path:!write j|concurrency:!number
- c|config:!{.golangci.yml,.golangci.yaml,.golangci.toml,.golangci.json} no-config
> run fmt
  - timeout: fix!in-place+writes E|enable: D|disable: enable-only: default: disable-all enable-all p|presets: fast fast-only build-tags: tests:: skip-dirs: skip-files: out-format: new n new-from-rev: new-from-merge-base: new-from-patch:!read whole-files max-issues-per-linter:!number max-same-issues:!number uniq-by-line path-prefix: path-mode: show-stats sort-results issues-exit-code:!number modules-download-mode: go: allow-parallel-runners allow-serial-runners print-issued-lines print-linter-name output.text.path:!write output.json.path:!write diff diff-colored e|exclude:!text exclude-use-default
  . change*
> linters formatters help version completion
  - json short debug
  . text*
> cache
  . {clean,status}
> config
  . {path,verify}
> custom migrate
  ~ run
" examples "
+ go build ./...
+ go test -run X ./...
+ go test -v -race -count=1 -coverprofile=c.out ./...
+ go vet ./...
+ go mod tidy
+ go version
+ go env GOPATH
+ go get github.com/x/y@v1.2.3
+ go install ./cmd/x
+ go run . --flag
+ go run main.go
+ go fmt ./...
+ go list -m all
+ go build -o bin/x -ldflags='-s -w' ./cmd/x
+ gofmt -l -w .
? go build -toolexec x ./...
? go vet -vettool=x ./...
? go test -exec x
? go run -exec x .
? go test --exec=x
? go build -overlay f
? go build -modfile=x
? go env -w GOFLAGS=x
+ go tool cover -func=c.out
? go tool cover -html=c.out
? go tool x
? go tool cgo
? go build -ldflags='-extld=x'
? go test -toolexec=x ./...
? go list -toolexec x ./...
? go bug
? go run ../*.go
+ go build -gcflags='all=-N -l' ./...
+ go build -ldflags='-X main.version=1.2 -s' .
+ go work use ../x
? go build -gcflags=-cpuprofile=/x .
? go build -ldflags=-memprofile=/x .
? go build '-gcflags=-o /x' .
? go build -asmflags=all=-o=/x .
? go build -ldflags=-extar=x .
? go mod edit -module=x /y/go.mod
? go work edit -use=x /y/go.work
? go fmt /x
? go fix -fixtool=x
+ golangci-lint run ./...
? golangci-lint run -c x
";
}
