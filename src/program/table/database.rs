//! Data bases and their shells.

family! {
"
= sqlite3 sqlite
~ words whole
- A:!ask append ascii batch bail box column csv header noheader help!help html interactive json line list markdown newline: nonce: nullvalue: quote readonly
- separator:!text stats table tabs unsafe-testing!ask safe!tame version!help lookaside:2 pagecache:2 heap: maxsize: memtrace mmap: echo cmd:!@sqlite init:!code vfs:!load zip deserialize ui!ask
~ writes commands plain
. file:>ask @database @sqlite*

= duckdb
~ words whole
- ascii batch bail box column csv header noheader help!help html interactive json line list markdown newline: nonce: nullvalue: quote readonly
- separator:!text stats table safe!tame version!help echo c:!@duckdb s:!@duckdb cmd:!@duckdb init:!code unsigned!load ui!ask unredacted!ask
~ writes commands plain
. file:>ask md:>ask @database @duckdb*

= psql
~ connects commands plain
- c|command:!@psql d|dbname:!@conninfo l|list v|set|variable:!@psql-variable V|version!help X|no-psqlrc 1|single-transaction ?|help::!help a|echo-all b|echo-errors e|echo-queries
- E|echo-hidden n|no-readline q|quiet s|single-step S|single-line A|no-align csv F|field-separator: H|html P|pset: R|record-separator: t|tuples-only
- T|table-attr: x|expanded z|field-separator-zero 0|record-separator-zero h|host: p|port: U|username: w|no-password W|password
- f|file:!code o|output:!ask L|log-file:!write+writes
. @conninfo text

= pg_isready
~ connects
- d|dbname:!@conninfo q|quiet t|timeout: h|host: p|port: U|username: V|version!help ?|help!help
. text

= pg_dump pg_dumpall
~ connects plain
- disable-dollar-quoting disable-triggers enable-row-security exclude-table-data:!text extension: e: extra-float-digits: include-foreign-data: load-via-partition-root no-table-access-method no-unlogged-table-data on-conflict-do-nothing use-set-session-authorization binary-upgrade restrict-key:
- a|data-only b|blobs|large-objects B|no-blobs c|clean C|create E|encoding: F|format: j|jobs: n|schema: N|exclude-schema:!text O|no-owner s|schema-only S|superuser: t|table:
- T|exclude-table:!text v|verbose x|no-privileges|no-acl Z|compress: lock-wait-timeout: no-sync column-inserts inserts if-exists no-comments no-publications
- no-security-labels no-subscriptions no-tablespaces no-toast-compression quote-all-identifiers rows-per-insert: section: serializable-deferrable snapshot:
- strict-names d|dbname:!@conninfo h|host: p|port: U|username: w|no-password W|password role: V|version!help ?|help!help g|globals-only r|roles-only
- f|file:!write+writes
. @conninfo

= createdb
~ connects writes
- D|tablespace: e|echo E|encoding: l|locale: O|owner: T|template: h|host: p|port: U|username: w|no-password W|password maintenance-db:!@conninfo V|version!help
. text text

= dropdb dropuser
~ connects destroys
- e|echo f|force i|interactive if-exists h|host: p|port: U|username: w|no-password W|password maintenance-db:!@conninfo V|version!help
. text

= mysql mariadb
~ connects commands whole
- e|execute:!@mysql D|database: h|host: P|port: u|user: p|password:: S|socket:!ask t|table B|batch N|skip-column-names s|silent r|raw E|vertical H|html X|xml
- C|compress A|no-auto-rehash f|force n|unbuffered q|quick v|verbose w|wait default-character-set: connect-timeout: protocol: ssl-mode: V|version!help ?|help!help
. text

= mysqladmin
~ connects
- h|host: P|port: u|user: p|password:: s|silent v|verbose V|version!help ?|help!help
. {ping,status,version,processlist,variables,extended-status} text*

= mysqldump mariadb-dump
~ connects plain
- h|host: P|port: u|user: p|password:: A|all-databases B|databases d|no-data t|no-create-info n|no-create-db single-transaction quick routines triggers events
- skip-lock-tables lock-tables column-statistics: hex-blob compact skip-comments ignore-table:!text w|where: default-character-set: set-gtid-purged: add-drop-table
- no-tablespaces V|version!help ?|help!help r|result-file:!write+writes
. text*

= redis-cli valkey-cli
~ connects commands whole
- h: p: n: a: u: c r: i: x!ask 3 2 raw no-raw csv json user: pass: askpass tls sni: cacert:!read insecure cert:!read key:!read scan pattern:!text stat bigkeys memkeys
- hotkeys latency latency-history no-auth-warning quoted-input version!help help!help
. {PING,ping,GET,get,MGET,mget,KEYS,keys,SCAN,scan,TTL,ttl,TYPE,type,EXISTS,exists,HGET,hget,HGETALL,hgetall,HKEYS,hkeys,LRANGE,lrange,LLEN,llen,SMEMBERS,smembers,ZRANGE,zrange,INFO,info,DBSIZE,dbsize,STRLEN,strlen} text*

= mongosh mongo
~ connects ask

= mongodump mongoexport
~ connects writes
- h|host: port: u|username: p|password: d|db: c|collection: q|query: f|fields: type: sort: limit: jsonArray pretty gzip uri: quiet v|verbose o|out:!write version!help help!help
. text*

= clickhouse-client clickhouse
~ connects ask
" examples "
+ sqlite3 a.db 'select 1'
+ sqlite3 -header -column a.db 'select * from t'
+ sqlite3 -readonly a.db .tables
+ sqlite3 a.db .schema
+ psql -c 'select 1' db
+ psql -h localhost -U me -d db -c 'select 1'
+ pg_isready -h localhost
+ pg_dump -s db
+ redis-cli ping
+ redis-cli -h localhost GET a
+ mysql -e 'select 1' db
+ mysqladmin ping
+ dropdb x
? sqlite3 x.db \"vacuum into '/x'\"
? sqlite3 x.db \"vacuum/**/main into '/x'\"
? sqlite3 'file:/x?mode=rwc' 'create table t(a)'
? sqlite3 x.db -Ax
? duckdb x.db \"COPY(select 1) TO '/x'\"
? duckdb x.db \"export database '/x'\"
+ sqlite3 x.db 'vacuum'
? sqlite3 a.db '.shell id'
? sqlite3 a.db '.system id'
? sqlite3 a.db \".output '|id'\"
? sqlite3 -init f a.db
? sqlite3 -cmd '.shell id' a.db
? sqlite3 a.db \"select load_extension('./x')\"
? sqlite3 -vfs x a.db
+ psql -c '\\dt'
+ psql postgres://u@h/db -c 'select 1'
+ psql 'host=h dbname=d'
? psql 'host=h sslkey=./e.so:k'
? psql 'postgres://h/d?sslk%65y=x'
? psql -d 'service=x'
? psql -v 'PROMPT1=%`x`' d
? pg_dump -d 'host=h sslkey=x:y'
+ mysql -e 'select * from t\\G'
? mysql -e 'source x.sql'
? mysql -e 'select 1; \\. x.sql'
+ duckdb -c \"from 'x.csv'\"
? duckdb -c \"from read_text('/x')\"
? sqlite3 -unsafe-testing a.db 'select 1'
? psql -c '\\! id'
? psql -c \"copy t from program 'id'\"
? psql -f x.sql
? psql -o '|id' -c 'select 1'
? psql -fx.sql
? mysql -e '\\! id'
? mysql -e 'system id'
? mysql --defaults-file=x
? mysql --init-command=x
? redis-cli EVAL 'x' 0
? redis-cli CONFIG SET dir /etc
? redis-cli --eval x
? redis-cli FLUSHALL
? mongosh --eval x
";
}
