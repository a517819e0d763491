import path from 'node:path';
import { isUuid } from '@/lib/customers/uid-policy';
import { moveOrganization } from '@/lib/lifecycle/move-organization';
import { listMoves } from '@/lib/lifecycle/move-sql';
import { addCell, isCellName, readCells } from '@/lib/platform/cells/cells';
import { describeCells, KNOWN_AFTER_SECONDS, setTakesNew } from '@/lib/platform/cells/cells-sql';
import { inCell } from '@/lib/platform/cells/current-cell';
import { distributeCells, placeNewCell } from '@/lib/platform/cells/distribute';
import { findCitus, type Placement, readPlacements } from '@/lib/platform/cells/distribute-sql';
import { type Config, parseConfig } from '@/lib/platform/config/config';
import { sqlState } from '@/lib/platform/database-errors';
import { closeDatabase, type Sql } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { withMigrationLock } from '@/lib/platform/migrate/apply-migrations';
import { begin, commit } from '@/lib/platform/migrate/migrate-sql';
import { findMigrationFault } from '@/lib/platform/migrate/require-migrations';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { withEmbeddedDatabase } from '@/scripts/start/embedded-database';
import { StartupError } from '@/scripts/start/startup-error.mjs';

const MINUTES = (2 * KNOWN_AFTER_SECONDS) / 60;
const USAGE = 'npm run cells -- list | add NAME | drain NAME | move ORG CELL | distribute';

/** What a command does with the name of a cell, in a transaction. Returns the text to print. */
type Command = (sql: Sql, name: string) => Promise<string>;
const COMMANDS: Record<string, Command> = { list, add, drain, distribute };

/**
 * Runs `npm run cells`, while no migration runs. Returns the text to print.
 * @param onProgress gets a line for each step of a move
 * @throws StartupError, ConfigError, MigrationError, MoveError, DistributeError with a line for the operator
 */
export async function runCells(
  args: readonly string[],
  env: Record<string, string | undefined>,
  onProgress?: (line: string) => void,
): Promise<string> {
  const [name = '', ...given] = args;
  const [cell = ''] = given.slice(-1);
  if (given.length !== PARAMETERS[name]) throw new StartupError(USAGE);
  if (cell !== '' && !isCellName(cell)) {
    throw new StartupError(`"${cell}" is no name of a cell: "cell_" and 1 to 40 of a–z, 0–9 and _.`);
  }
  const settings = parseConfig(env);
  const run = async (databaseUrl: string, variable: string) => {
    const text = await withMigrationLock(databaseUrl, { variable }, async (client) => {
      const fault = await findMigrationFault(client);
      if (fault !== null) throw new StartupError(fault);
      const command = COMMANDS[name];
      if (command === undefined) return refuseUnknownCell(client, cell);
      await begin(client);
      const printed = await command(client, cell);
      await commit(client);
      if (name === 'add') {
        await begin(client);
        await placeNewCell(client, cell);
        await commit(client);
      }
      return printed;
    });
    // Retention may run by a timetable only, after the first organization.
    const makesPartitions = name === 'add' && settings.PARTITION_MAINTENANCE_ENABLED;
    if (name !== 'move' && !makesPartitions) return text;
    setOnce('config', { ...settings, DATABASE_URL: databaseUrl });
    try {
      if (makesPartitions) await inCell(cell, () => createPartitionsAhead(new Date()));
      if (name === 'move') await move(given[0] ?? '', cell, onProgress);
    } finally {
      await closeDatabase();
    }
    return text;
  };
  return withDatabase(settings, run).catch((error: unknown) => {
    throw sqlState(error) === undefined ? error : new StartupError(`The database refuses: ${oneLineOf(error)}.`);
  });
}

/** How many parameters each command has. */
const PARAMETERS: Record<string, number> = { list: 0, add: 1, drain: 1, move: 2, distribute: 0 };

/** @throws StartupError unless every process knows the cell */
async function refuseUnknownCell(sql: Sql, name: string): Promise<string> {
  const found = (await describeCells.all(sql)).find((cell) => cell.name === name);
  if (found === undefined) throw new StartupError(`There is no cell ${name}.`);
  if (found.is_known !== true) throw new StartupError(`${name} is new. Try again in ${MINUTES} minutes.`);
  return `It is in ${name}.`;
}

async function move(organization: string, cell: string, onProgress?: (line: string) => void): Promise<void> {
  if (!isUuid(organization)) throw new StartupError(`"${organization}" is no id of an organization.`);
  await readCells();
  await moveOrganization(organization, cell, onProgress === undefined ? {} : { onProgress });
}

function withDatabase<T>(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Config,
  work: (databaseUrl: string, variable: string) => Promise<T>,
) {
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_DIRECT_URL !== DATABASE_URL) {
    throw new StartupError('DATABASE_URL: behind a pooler there is one cell. Connect the parts directly first.');
  }
  if (DATABASE_URL !== undefined) return work(DATABASE_URL, 'DATABASE_URL');
  return withEmbeddedDatabase(path.resolve(DATA_DIR), 'npm run cells', (url) => work(url, 'DATA_DIR'));
}

async function list(sql: Sql): Promise<string> {
  const placements =
    (await findCitus.one(sql)).has_citus === true ? await readPlacements(sql) : new Map<string, Placement>();
  const rows = (await describeCells.all(sql)).map(({ name, takes_new, organizations, bytes }) => [
    name,
    takes_new ? 'yes' : 'no',
    String(organizations),
    `${(Number(placements.get(name)?.bytes ?? bytes) / 1024 / 1024).toFixed(1)} MB`,
    placements.get(name)?.machine ?? '',
  ]);
  const table = [['CELL', 'TAKES NEW', 'ORGANIZATIONS', 'SIZE', placements.size === 0 ? '' : 'MACHINE'], ...rows];
  const moves = (await listMoves.all(sql)).map(
    ({ organization_id, source, target, moved_at }) =>
      `${organization_id} moves from ${source} to ${target}: ${moved_at === null ? 'copying' : 'emptying what it left'}`,
  );
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...moves].join('\n');
}

async function add(sql: Sql, name: string): Promise<string> {
  if (await addCell(sql, name)) {
    return `Added ${name}. It takes new organizations in ${MINUTES} minutes, when every process knows it.`;
  }
  await setTakesNew.run(sql, { name, takesNew: true });
  return `There is ${name} already. It takes new organizations.`;
}

async function drain(sql: Sql, name: string): Promise<string> {
  const cells = await describeCells.all(sql);
  if (!cells.some((cell) => cell.name === name)) throw new StartupError(`There is no cell ${name}.`);
  const others = cells.filter((cell) => cell.takes_new && cell.name !== name);
  if (others.length === 0) {
    throw new StartupError(`${name} is the only cell that takes new organizations. Add another one first.`);
  }
  if (!others.some((cell) => cell.is_known)) {
    throw new StartupError(`No other cell takes new organizations yet. Try again in ${MINUTES} minutes.`);
  }
  await setTakesNew.run(sql, { name, takesNew: false });
  return `${name} takes no new organizations.`;
}

async function distribute(sql: Sql): Promise<string> {
  const moves = await listMoves.all(sql);
  if (moves.length > 0) throw new StartupError('An organization moves to another cell: let that end first.');
  const placed = await distributeCells(sql);
  return placed.length === 0
    ? 'Each cell has a machine already.'
    : `Placed ${placed.join(', ')}: npm run cells -- list`;
}
