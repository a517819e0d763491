/** The ids below and above all others. */
export const [LOWEST_ID, HIGHEST_ID] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * SQL for the rows of which a column has a value, by the index of this column and the id. Order by both columns: then no other index
 * serves the query. For `project_id = p.id ORDER BY id`, the planner may read the primary key instead and hope for rows of the project;
 * for a project with few, it reads the table.
 */
export function byIndex(column: string, value: string, id = 'id'): string {
  return `(${column}, ${id}) >= (${value}, '${LOWEST_ID}') AND (${column}, ${id}) <= (${value}, '${HIGHEST_ID}')`;
}
