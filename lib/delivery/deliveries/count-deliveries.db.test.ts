import { expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { whileShownIsCounted } from './count-deliveries';

useDatabase();

/** Counts of an organization, each of which ends when it is told to. */
async function countsOf() {
  const projectId = await insertProject();
  const [row] = await select<{ id: string }>('SELECT organization_id AS id FROM projects WHERE id = $1', projectId);
  const organizationId = row?.id ?? '';
  const ends: (() => void)[] = [];
  const begin = (customerId: string | undefined, of = projectId) =>
    whileShownIsCounted(
      { projectId: of, organizationId, customerId },
      () => new Promise<void>((end) => ends.push(end)),
    );
  const addProject = async () => {
    const added = await insertProject();
    await select('UPDATE projects SET organization_id = $1 WHERE id = $2', organizationId, added);
    return added;
  };
  return { begin, ends, addProject };
}

it('a customer waits for the counts of two others, and learns of nobody when they do not end', async () => {
  const { begin, ends } = await countsOf();
  const counts = [begin(newId()), begin(newId())];
  await expect.poll(() => ends.length).toBe(2);
  const refused = begin(newId());
  await expect(refused).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.not.stringContaining('organization'),
  });
  const third = begin(newId());
  ends.shift()?.();
  await expect.poll(() => ends.length).toBe(2);
  for (const end of ends) end();
  await Promise.all([...counts, third]);
});

it('a project is refused at once while its organization has two counts, and is told so', async () => {
  const { begin, ends, addProject } = await countsOf();
  const counts = [begin(undefined), begin(undefined, await addProject())];
  await expect.poll(() => ends.length).toBe(2);
  await expect(begin(undefined, await addProject())).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Your organization already has 2 counts in progress. Try again in a few seconds.',
  });
  for (const end of ends) end();
  await Promise.all(counts);
});
