#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin tty; printf '#!/bin/sh\nname=$1\necho $name\nif [ $name == x ]; then\n  echo yes\nfi\n' | put bin/run.sh; fin 'shellcheck bin/run.sh'
begin gcc tty; fin 'shellcheck -f gcc bin/run.sh'
