#!/usr/bin/env node
// Prints the median of the numbers given as arguments.
//
// Usage: median.mjs NUMBER...

import { pathToFileURL } from "node:url";

export function median(numbers) {
  if (numbers.length === 0) {
    throw new RangeError("median of no numbers");
  }
  const sorted = [...numbers].sort();
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) {
    return sorted[middle];
  }
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(median(process.argv.slice(2).map(Number)));
}
