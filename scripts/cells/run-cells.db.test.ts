import { expect, it } from 'vitest';
import { chooseCellOfNew, readCells } from '@/lib/platform/cells/cells';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { itOnOneServer } from '@/tests/database/one-server';
import { earlier, run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { runCells } from './run-cells';

const { url } = useDatabase();
const cells = (...args: string[]) => runCells(args, { DATABASE_URL: url });

itOnOneServer(
  'lists, adds and drains cells; new organizations go to the one with the fewest that takes them',
  async () => {
    expect(await cells('list')).toMatch(/^CELL +TAKES NEW +ORGANIZATIONS +SIZE\ncell_00 +yes +0 +\d+\.\d MB$/);
    await expect(cells('drain', 'cell_00')).rejects.toThrow('the only cell that takes new organizations');
    expect(await cells('add', 'cell_01')).toBe(
      'Added cell_01. It takes new organizations in 2 minutes, when every process knows it.',
    );
    await readCells();
    expect(await chooseCellOfNew(database())).toBe('cell_00');
    await expect(cells('drain', 'cell_00')).rejects.toThrow('No other cell takes new organizations yet.');
    await run(`UPDATE cells SET ${earlier('created_at', '3 minutes')}`);
    expect(await cells('drain', 'cell_00')).toBe('cell_00 takes no new organizations.');
    expect(await chooseCellOfNew(database())).toBe('cell_01');
    expect(await cells('add', 'cell_00')).toBe('There is cell_00 already. It takes new organizations.');
    expect(await chooseCellOfNew(database())).toBe('cell_00');
    expect((await cells('list')).split('\n')).toHaveLength(3);
  },
);

it('refuses what it cannot do, in one line', async () => {
  await expect(cells()).rejects.toThrow('npm run cells -- list | add NAME | drain NAME | move ORG CELL | distribute');
  await expect(cells('list', 'cell_00')).rejects.toThrow('npm run cells');
  await expect(cells('add')).rejects.toThrow('npm run cells');
  await expect(cells('add', 'public')).rejects.toThrow('"public" is no name of a cell');
  const organization = newId();
  await expect(cells('move', organization)).rejects.toThrow('npm run cells');
  await expect(cells('move', organization, 'cell_none')).rejects.toThrow('There is no cell cell_none.');
  await expect(cells('move', 'acme', 'cell_00')).rejects.toThrow('"acme" is no id of an organization.');
  await expect(cells('move', organization, 'cell_00')).rejects.toThrow('There is no such organization.');
  await expect(cells('drain', 'cell_none')).rejects.toThrow('There is no cell cell_none.');
  await run('CREATE SCHEMA cell_taken');
  await expect(cells('add', 'cell_taken')).rejects.toThrow('The database refuses: schema "cell_taken" already exists.');
  await expect(runCells(['list'], { DATABASE_URL: url, DATABASE_DIRECT_URL: `${url}?x=1` })).rejects.toThrow(
    'DATABASE_URL: behind a pooler there is one cell.',
  );
});
