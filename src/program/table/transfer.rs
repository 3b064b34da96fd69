//! Downloads, synchronisation and backups.

family! {
"
= aria2c yt-dlp youtube-dl duplicity
~ run
- h|help!help version!help

= rclone
~ connects whole
- v|verbose q|quiet n|dry-run P|progress include:!text exclude:!text max-depth:!number fast-list checkers:!number transfers:!number R|recursive l|long max-age: min-age: max-size: min-size: human-readable json
- h|help!help V|version!help
> ls lsl lsd lsf lsjson size about tree
  . @name
> listremotes version

= restic
~ connects whole global
- r|repo:!@remote no-cache no-lock q|quiet v|verbose json p|password-file:!read H|host: tag: path: l|long latest:!number c|compact g|group-by: h|help!help version!help
> snapshots stats check find ls
  . text*
> version

= borg borgmatic
~ connects whole global
- v|verbose info debug show-rc p|progress json short P|prefix: a|glob-archives: first:!number last:!number sort-by: format: h|help!help V|version!help
> list info check
  . @remote*
" examples "
+ rclone ls x:
+ restic snapshots
+ borg list
? yt-dlp http://x
? yt-dlp --exec x http://y
? aria2c --on-download-complete=x http://y
? rclone --password-command x ls y:
? rclone ls ':sftp,ssh=x:'
? rclone ls 'r,ssh=x:'
? rclone copy a b:
? borg --rsh x list
? restic --password-comm x snapshots
? restic -o rclone.program=x snapshots
? restic dump latest x
? restic -r 'sftp:-oProxyCommand=x:/y' snapshots
? restic -r 'rclone::sftp,ssh=x,host=y:' snapshots
+ restic -r sftp:host:/srv/backup snapshots
? borg list ssh://-oProxyCommand=x/y
+ borg list /srv/backup::monday
";
}
