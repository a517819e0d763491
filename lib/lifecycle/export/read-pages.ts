import type { Sql } from '@/lib/platform/db';
import type { Column } from '@/lib/platform/sql/column';
import type { Columns, RowOf, Statement } from '@/lib/platform/sql/statement';
import { selectProjectIds } from './sections-sql';

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

type Id = { readonly id: Column<string> };
type ProjectId = { readonly projectId: Column<string> };

/**
 * Reads rows of an organization page by page.
 * @param page orders by id; its parameters are the organization, the id to start after, and the page size
 */
export function readOrganizationPages<C extends Columns & Id>(
  sql: Sql,
  page: Statement<C>,
  organizationId: string,
  pageRows = PAGE_ROWS,
): AsyncGenerator<RowOf<C>[]> {
  return readPages((last) => page.all(sql, organizationId, last?.id ?? LOWEST_ID, pageRows), pageRows);
}

/**
 * Reads rows of all projects of an organization page by page. One statement covers many projects: a statement for each
 * would be slow, and a list of all their ids might be long.
 *
 * @param page orders by project and id, as the index does; its parameters are the projects, the project and the id to
 *   start after, and the page size
 */
export async function* readProjectPages<C extends Columns & Id & ProjectId>(
  sql: Sql,
  page: Statement<C>,
  organizationId: string,
): AsyncGenerator<RowOf<C>[]> {
  for await (const projects of readOrganizationPages(sql, selectProjectIds, organizationId, PAGE_PROJECTS)) {
    const projectIds = projects.map(({ id }) => id);
    yield* readPages<RowOf<C>>(
      (last) => page.all(sql, projectIds, last?.projectId ?? LOWEST_ID, last?.id ?? LOWEST_ID, PAGE_ROWS),
      PAGE_ROWS,
    );
  }
}
