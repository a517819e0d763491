import type { Sql } from '@/lib/platform/db';

/** Larger pages were not faster and needed more memory. */
export const PAGE_ROWS = 100;
const PAGE_PROJECTS = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Reads a list page by page, each after the last row of the page before. */
export async function* readPages<Row>(
  readAfter: (last: Row | undefined) => Promise<Row[]>,
  pageRows: number,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await readAfter(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

/**
 * Reads rows of an organization page by page.
 * @param text SQL that orders by id; its parameters are the organization, the id to start after, and the page size
 */
export function readOrganizationPages<Row extends { id: string }>(
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
 * Reads rows of all projects of an organization page by page. One statement covers many projects: a statement for each
 * would be slow, and a list of all their ids might be long.
 *
 * @param text SQL that orders by project and id, as the index does; its parameters are the projects, the project and the
 *   id to start after, and the page size
 */
export async function* readProjectPages<Row extends { id: string; projectId: string }>(
  sql: Sql,
  text: string,
  organizationId: string,
): AsyncGenerator<Row[]> {
  for await (const projects of readOrganizationPages(sql, PROJECT_IDS_SQL, organizationId, PAGE_PROJECTS)) {
    const projectIds = projects.map(({ id }) => id);
    yield* readPages<Row>(async (last) => {
      const after = [last?.projectId ?? LOWEST_ID, last?.id ?? LOWEST_ID];
      return (await sql.query<Row>(text, [projectIds, ...after, PAGE_ROWS])).rows;
    }, PAGE_ROWS);
  }
}
