import { readFigures } from '@/lib/platform/read-figures';
import { countDefault } from './leaf-rows-sql';
import { BRANCHES, type Branch } from './partitions';

/** Counts the rows in the default partition of a branch. It should be empty (docs/specification.md#metrics). */
export async function countDefaultRows(branch: Branch): Promise<number> {
  const [counted] = await readFigures(countDefault[branch.name]);
  return Number(counted?.rows ?? 0);
}

/** Counts them for every branch, by its name. */
export async function countAllDefaultRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const branch of BRANCHES) counted.set(branch.name, await countDefaultRows(branch));
  return counted;
}
