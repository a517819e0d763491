import { expect, it } from 'vitest';
import { COMMANDS } from '@/lib/cli/commands';
import { OPERATIONS } from '@/lib/cli/generated/operations';
import { leavesOf } from '@/lib/cli/routes/complete-commands';
import { isLeftOut, LEFT_OUT, WORDS } from '@/lib/cli/routes/names';
import type { Operation } from '@/lib/cli/routes/operation';
import { operationsOf } from '@/scripts/package/print-operations';

const all = operationsOf().map(([name]) => name);
const isOf = (operation: string, name: string) => operation === name || operation.startsWith(`${name}.`);

it('reaches each operation of the API by one command, unless it is left out with a reason', () => {
  // A command may have two names.
  const commands = [...new Set(leavesOf(COMMANDS))];
  const reached = commands.flatMap(({ operations = [] }) => operations);
  expect(reached.sort()).toEqual(all.filter((name) => !isLeftOut(name)).sort());
});

it('replaces no words that no schema has', () => {
  const words = Object.values<Operation>(OPERATIONS).flatMap(({ input = {} }) => Object.values(input));
  const described = words.map(({ description }) => description.replace(/\. Default: .*$/, ''));
  expect(Object.keys(WORDS).filter((each) => !described.includes(each))).toEqual([]);
});

it('leaves out no operation that is gone', () => {
  expect(Object.keys(LEFT_OUT).filter((name) => !all.some((operation) => isOf(operation, name)))).toEqual([]);
});
