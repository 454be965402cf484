import assert from "node:assert/strict";
import test from "node:test";

import { median } from "./median.mjs";

test("an odd count gives the number in the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
});

test("an even count gives the mean of the two in the middle", () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test("numbers are ordered by value", () => {
  assert.equal(median([9, 10, 2]), 9);
});

test("the argument stays as it is", () => {
  const numbers = [3, 1, 2];
  median(numbers);
  assert.deepEqual(numbers, [3, 1, 2]);
});

test("no numbers have no median", () => {
  assert.throws(() => median([]), RangeError);
});
