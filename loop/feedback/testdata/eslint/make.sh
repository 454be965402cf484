#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin stylish; echo 'export default [{rules:{"no-undef":2,"no-unused-vars":1}}];' | put eslint.config.mjs
printf 'const used = 1;\nconsole.log(missing, used);\nlet spare = 2;\n' | put src/a.mjs
fin 'node $NODE_TOOLS/node_modules/eslint/bin/eslint.js src'
begin unix stylish; fin 'node $NODE_TOOLS/node_modules/eslint/bin/eslint.js -f $NODE_TOOLS/node_modules/eslint-formatter-unix/index.js src'
