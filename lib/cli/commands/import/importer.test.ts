import { expect, it } from 'vitest';
import type { Context } from '@/lib/cli/context';
import { Importer, type Outcome } from './importer';
import { Notes } from './plan';

function groupWithNotes() {
  const notes = new Notes();
  for (let i = 0; i < 20; i += 1) notes.lose('x'.repeat(10_000));
  return { customer: { from: 'a', uid: null, name: null, metadata: {}, notes }, endpoints: async function* () {} };
}

it('an import ends, and keeps its rows, when a server has more than can be reported', async () => {
  const importer = new Importer({} as Context, 'Svix', true);
  const outcomes: Outcome[] = [];
  do outcomes.push(await importer.takeOver(groupWithNotes()));
  while (outcomes.at(-1)?.fault === undefined && outcomes.length < 20_000);
  expect(outcomes.at(-1)?.fault).toMatchObject({ fields: { code: 'source_too_large' } });
  expect(outcomes.flatMap(({ rows }) => rows)).toHaveLength(outcomes.length);
});
