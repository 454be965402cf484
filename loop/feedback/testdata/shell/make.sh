#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin missing-command; printf '#!/bin/bash\nset -e\necho start\nno_such_command\n' | put run.sh; chmod +x run.sh; fin './run.sh'
begin dash; printf 'set -e\necho start\nno_such_command\n' | put run.sh; fin 'sh run.sh'
begin silent; printf 'exit 1\n' | put run.sh; fin 'sh run.sh'
begin words; printf 'echo "checking totals"\necho "0 errors in part one"\necho "ERROR: total is 3, want 5"\nexit 1\n' | put run.sh; fin 'sh run.sh'
begin noise
for f in server.go Makefile localhost 12 redis docs/example.com src/app.py; do put $f </dev/null; done
put cmd.sh <<'E'
echo "12:34:56 listening on localhost:8080"
echo "2024-01-02T03:04:05Z GET http://example.com/server.go:80 200"
echo "dial tcp 127.0.0.1:5432: connect: connection refused"
echo "pulling redis:7 and redis:7.2 and node:20.1"
echo "redis:6379 is slow; example.com:443 is slow"
echo "see https://host/x/server.go:12 or //cdn/server.go:13"
echo "/usr/lib/python3/dist-packages/src/app.py:9 is foreign"
echo "Makefile:7: recipe failed"
echo "in (src/app.py:21) and 'server.go:22:3' and [server.go:23]."
printf '10%%\r50%%\r100%% done\n'
printf 'a\0b \377\376 server.go:33 \033]0;title\007end\033[K\n'
exit 1
E
fin 'sh cmd.sh'
