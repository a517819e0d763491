import { countDefaultRows } from './list-partitions';
import { BRANCHES } from './partitions';

/** Rows in each default partition, counted, by the name of the branch. */
export async function countAllDefaultRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const branch of BRANCHES) counted.set(branch.parent.replace(/^\w+\./, ''), await countDefaultRows(branch));
  return counted;
}
