import type { Sql } from '@/lib/platform/db';
import { listCellNames } from './cells-sql';
import {
  allowTriggers,
  beginCopying,
  copyToNodes,
  countNodes,
  findCitus,
  joinMetadata,
  listLocalTables,
  placeCell,
  replaceForeignKeys,
} from './distribute-sql';

/**
 * The tables of `public` of which each machine has a copy, parents first: rows of cells refer to them, or are found by them. All others,
 * such as those of sign-in, are plain tables of the machine that DATABASE_URL leads to. A foreign key between both is not possible: a
 * trigger does what it did when a copied row is deleted.
 */
const COPIED = ['cells', 'organizations', 'memberships', 'projects', 'api_keys', 'url_tokens', 'cell_moves'] as const;

/** What the other machines can reach on that one: transactions of a cell write it. */
const REACHED = ['audit_log'] as const;

/** A reason for the operator, in one line. */
export class DistributeError extends Error {
  override name = 'DistributeError';
}

/**
 * Places the cells on the machines of a Citus cluster, each whole on one, and copies to all what their rows refer to. What is there
 * already stays where it is. In a transaction, with a connection to the coordinator.
 * @returns the cells that were placed
 * @throws DistributeError without Citus, or with one machine
 */
export async function distributeCells(tx: Sql): Promise<string[]> {
  if ((await findCitus.one(tx)).has_citus !== true) {
    throw new DistributeError('The database has no Citus: the cells are all on this PostgreSQL.');
  }
  if ((await countNodes(tx)) === 0) throw new DistributeError('Citus has no worker: add one by citus_add_node.');
  await beginCopying(tx);
  await allowTriggers.run(tx);
  const local = await listLocalTables(tx);
  await replaceForeignKeys(tx, COPIED);
  for (const table of COPIED) if (local.has(table)) await copyToNodes(tx, table);
  const placed: string[] = [];
  for (const { name } of await listCellNames.all(tx)) if (await placeCell(tx, name)) placed.push(name);
  for (const table of REACHED) if (local.has(table)) await joinMetadata(tx, table);
  return placed;
}

/**
 * Places a cell, where others are placed. In a transaction after the one that made it: Citus makes its schema and its tables on the machine
 * through two connections.
 */
export async function placeNewCell(tx: Sql, name: string): Promise<void> {
  if ((await findCitus.one(tx)).has_citus !== true || (await listLocalTables(tx)).has('organizations')) return;
  await beginCopying(tx);
  await allowTriggers.run(tx);
  await replaceForeignKeys(tx, COPIED);
  await placeCell(tx, name);
}
