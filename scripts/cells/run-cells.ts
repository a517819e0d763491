import path from 'node:path';
import { addCell, isCellName } from '@/lib/platform/cells/cells';
import { describeCells, KNOWN_AFTER_SECONDS, setTakesNew } from '@/lib/platform/cells/cells-sql';
import { inCell } from '@/lib/platform/cells/current-cell';
import { type Config, parseConfig } from '@/lib/platform/config/config';
import { closeDatabase, type Sql } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { withMigrationLock } from '@/lib/platform/migrate/apply-migrations';
import { begin, commit } from '@/lib/platform/migrate/migrate-sql';
import { findMigrationFault } from '@/lib/platform/migrate/require-migrations';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { withEmbeddedDatabase } from '@/scripts/start/embedded-database';
import { StartupError } from '@/scripts/start/startup-error.mjs';

const MINUTES = (2 * KNOWN_AFTER_SECONDS) / 60;
const USAGE = 'npm run cells -- list | add NAME | drain NAME';

/** What a command does with the name of a cell. Returns the text to print. */
type Command = (sql: Sql, name: string) => Promise<string>;
const COMMANDS: Record<string, Command> = { list, add, drain };

/**
 * Runs `npm run cells`, while no migration runs. Returns the text to print.
 * @throws StartupError, ConfigError, MigrationError with a line for the operator
 */
export async function runCells(args: readonly string[], env: Record<string, string | undefined>): Promise<string> {
  const [name = '', cell = '', ...others] = args;
  const command = COMMANDS[name];
  if (command === undefined || others.length > 0 || (command === list) !== (cell === '')) throw new StartupError(USAGE);
  if (cell !== '' && !isCellName(cell)) {
    throw new StartupError(`"${cell}" is no name of a cell: "cell_" and 1 to 40 of a–z, 0–9 and _.`);
  }
  const settings = parseConfig(env);
  return withDatabase(settings, (databaseUrl, variable) =>
    withMigrationLock(databaseUrl, { variable }, async (client) => {
      const fault = await findMigrationFault(client);
      if (fault !== null) throw new StartupError(fault);
      await begin(client);
      const text = await command(client, cell);
      await commit(client);
      if (command === add && settings.PARTITION_MAINTENANCE_ENABLED) {
        // Retention may run by a timetable only, after the first organization.
        setOnce('config', { ...settings, DATABASE_URL: databaseUrl });
        await inCell(cell, () => createPartitionsAhead(new Date())).finally(closeDatabase);
      }
      return text;
    }),
  );
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
  const rows = (await describeCells.all(sql)).map(({ name, takes_new, organizations, bytes }) => [
    name,
    takes_new ? 'yes' : 'no',
    String(organizations),
    `${(Number(bytes) / 1024 / 1024).toFixed(1)} MB`,
  ]);
  const table = [['CELL', 'TAKES NEW', 'ORGANIZATIONS', 'SIZE'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
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
