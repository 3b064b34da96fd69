//! Servers, which stay after the call: what they serve, load and write stands in files that are not looked at here.

family! {
"
= nginx openresty
~ daemon ask
- h!help ?!help v!help V!help

= redis-server valkey-server redis-sentinel
~ daemon ask
- h|help!help v|version!help

= memcached
~ daemon ask
- h|help!help V|version!help

= pg_ctl
~ daemon ask whole
- V|version!help
> status
  - D|pgdata:!read
> start stop restart reload promote logrotate kill initdb
  ~ ask

= postgres postmaster mysqld mariadbd mysqld_safe mongod mongos
~ daemon ask
- V|version!help

= httpd lighttpd haproxy caddy traefik varnishd
~ daemon ask
- h|help!help v|version!help

= sshd dockerd containerd systemd crond cron atd
~ daemon ask
- h|help!help v|version!help

= rabbitmq-server etcd minio nats-server vault-server mosquitto dnsmasq named unbound squid
~ daemon ask
- h|help!help v|version!help
" examples "
? nginx
? nginx -c x.conf
? nginx -g 'daemon off;'
+ nginx -v
? redis-server
? redis-server --daemonize yes
? redis-server x.conf
+ redis-server --version
? memcached -d
? pg_ctl -D d start
? postgres -D d
? mysqld --plugin-load=x
? mongod --fork
? caddy run
? sshd -D
? dockerd
";
}
