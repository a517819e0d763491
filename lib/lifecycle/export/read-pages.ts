import type { Sql } from '@/lib/platform/db';

/** What an export holds of a table at a time: larger pages made it no faster, and the memory for young objects grow. */
export const PAGE_ROWS = 100;
const PAGE_PROJECTS = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Pages of a list, each beginning behind the last row of the one before. */
export async function* readPages<Row>(
  readBehind: (last: Row | undefined) => Promise<Row[]>,
  pageRows: number,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await readBehind(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

/** @param text its parameters: the organization, the id to begin behind, the size of a page; in the order of ids */
export function readOfOrganization<Row extends { id: string }>(
  sql: Sql,
  text: string,
  organizationId: string,
  pageRows = PAGE_ROWS,
): AsyncGenerator<Row[]> {
  return readPages(async (last) => {
    return (await sql.query<Row>(text, [organizationId, last?.id ?? LOWEST_ID, pageRows])).rows;
  }, pageRows);
}

const PROJECT_IDS_SQL = `
  SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT $3`;

/**
 * What the living projects of an organization have, a few hundred projects at a time: neither a list of all of them nor a
 * statement for each.
 *
 * @param text its parameters: projects, the project and the id to begin behind, the size of a page; in the order of
 *   projects and ids, as the index has them
 */
export async function* readOfProjects<Row extends { id: string; projectId: string }>(
  sql: Sql,
  text: string,
  organizationId: string,
): AsyncGenerator<Row[]> {
  for await (const projects of readOfOrganization(sql, PROJECT_IDS_SQL, organizationId, PAGE_PROJECTS)) {
    const projectIds = projects.map(({ id }) => id);
    yield* readPages<Row>(async (last) => {
      const place = [last?.projectId ?? LOWEST_ID, last?.id ?? LOWEST_ID];
      return (await sql.query<Row>(text, [projectIds, ...place, PAGE_ROWS])).rows;
    }, PAGE_ROWS);
  }
}
