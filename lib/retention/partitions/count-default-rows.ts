import { readFigures } from '@/lib/platform/read-figures';
import { BRANCHES, type Branch } from './partitions';

/** Rows in the default partition of a branch, counted; expected to be none (SPEC 8.3). */
export async function countDefaultRows(branch: Branch): Promise<number> {
  const [counted] = await readFigures<{ rows: string }>(`SELECT count(*) AS rows FROM ${branch.defaultTable}`);
  return Number(counted?.rows ?? 0);
}

/** The same of every branch, by its name. */
export async function countAllDefaultRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const branch of BRANCHES) counted.set(branch.name, await countDefaultRows(branch));
  return counted;
}
