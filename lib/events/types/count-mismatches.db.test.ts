import { expect, it } from 'vitest';
import { inCell } from '@/lib/platform/cells/current-cell';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { countMismatch } from './count-mismatches';

useDatabase();
const CELLS = useCells('cell_01');

it('events that differ at the same time are counted for their types in each cell', async () => {
  const projects = await Promise.all(CELLS.map(() => insertProject()));
  const inEach = <T>(work: (project: string) => Promise<T>) =>
    Promise.all(CELLS.map((cell, index) => inCell(cell, () => work(projects[index] as string))));
  await inEach((project) =>
    run(`INSERT INTO event_types (id, project_id, name) VALUES ($1, $2, 'a')`, newId(), project),
  );
  await inEach(async (project) => countMismatch(project, 'a', new Date()));
  const counts = () =>
    inEach(
      async (project) =>
        (await select('SELECT mismatch_count::int FROM event_types WHERE project_id = $1', project))[0],
    );
  await expect.poll(counts).toEqual(CELLS.map(() => ({ mismatch_count: 1 })));
});
