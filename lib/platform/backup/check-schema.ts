import type { Sql } from '@/lib/platform/db';
import { findRelation, listPartitioned, listSequenceNames, listTables, type PartitionRow } from './backup-sql';
import { damaged, type Manifest } from './manifest';

/**
 * Compares the names in a manifest with the schema that its migrations made: they become SQL, which loads rows as the superuser, and
 * whoever made the file may have written any name.
 *
 * @returns the partitions that the migrations did not make
 * @throws BackupError when the schema lacks a table, a column, a partitioned table or a sequence
 */
export async function checkSchema(client: Sql, manifest: Manifest): Promise<PartitionRow[]> {
  const tables = await listTables.all(client);
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, JSON.parse(columns) as string[]]));
  for (const { name, columns } of manifest.tables) {
    const known = columnsOf.get(name);
    if (known === undefined) throw damaged(`it has the unknown table ${JSON.stringify(name)}`);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined) throw damaged(`${name} has the unknown column ${JSON.stringify(unknown)}`);
  }
  const sequences = (await listSequenceNames.all(client)).map(({ name }) => name);
  const unknown = manifest.sequences.find(({ name }) => !sequences.includes(name));
  if (unknown !== undefined) throw damaged(`it has the unknown sequence ${JSON.stringify(unknown.name)}`);
  return findMissingPartitions(client, manifest);
}

async function findMissingPartitions(client: Sql, { partitions }: Manifest): Promise<PartitionRow[]> {
  const parents = (await listPartitioned.all(client)).map(({ name }) => name);
  const missing: PartitionRow[] = [];
  for (const partition of partitions) {
    if (!parents.includes(partition.parent)) throw damaged(`${partition.parent} has no partitions`);
    if ((await findRelation.one(client, partition.name)).name === null) missing.push(partition);
  }
  return missing;
}
