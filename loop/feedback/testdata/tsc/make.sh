#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin plain; echo '{"compilerOptions":{"strict":true,"noEmit":true},"include":["src"]}' | put tsconfig.json
printf 'export function total(items: number[]): number {\n  const sum: string = 3;\n  return items.reduce((a, b) => a + c, 0);\n}\n' | put src/cart.ts
fin 'tsc -p .'
begin pretty plain; fin 'tsc -p . --pretty'
