import { holdsText } from '@/lib/platform/sql/bounded-scan';
import { bigint, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** A search looks at so many endpoints, or destinations, of a project, the newest ones, and at so many bytes of their texts. */
const MAX_TARGETS = 3_000;
const MAX_SEARCHED_BYTES = 5_000_000;

/** The parameters of `searchTargets`. A search for an id is one from this id to this id, without a text. */
export const TARGET_SEARCH = { project: uuid, lowest: uuid, highest: uuid, text: nullable(text) };

/**
 * Returns a query of the endpoints, or the destinations, of a project that have a text in their URL or description, or of an endpoint in
 * its uid: id, url, description and `columns`, newest first. The length of a text is known without reading it.
 * @param hasCustomer whether `$customer` chooses the endpoints of a customer, unless it is null
 */
export function searchTargets(
  table: 'endpoints' | 'destinations',
  columns: readonly string[] = [],
  hasCustomer = false,
): string {
  const texts = ['url', 'description', ...(table === 'endpoints' ? ['uid'] : [])];
  const newestOf = (column: string, value: string) =>
    `SELECT ${['id', ...texts, ...columns].join(', ')} FROM ${table}
            WHERE (${column}, id) >= (${value}, $lowest) AND (${column}, id) <= (${value}, $highest) AND deleted_at IS NULL
              AND project_id = $project
            ORDER BY ${column} DESC, id DESC LIMIT ${MAX_TARGETS}`;
  const newest = hasCustomer
    ? `(SELECT * FROM (${newestOf('project_id', '$project')}) p WHERE $customer::uuid IS NULL)
       UNION ALL (${newestOf('customer_id', '$customer')})`
    : newestOf('project_id', '$project');
  return `SELECT x.* FROM (
      SELECT newest.*, sum(${texts.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')})
        OVER (ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (${newest}) newest) x
    WHERE $text::text IS NULL
       OR (x.bytes <= ${MAX_SEARCHED_BYTES} AND (${texts.map((column) => holdsText(`coalesce(x.${column}, '')`)).join(' OR ')}))`;
}

/** Selects the targets of a project that match: up to `limit`, endpoints before destinations, each newest first. */
export const selectTargets = statement(
  `SELECT * FROM (
     (SELECT e.id AS endpoint_id, NULL::uuid AS destination_id, NULL::uuid AS source_id, e.url, e.description
      FROM (${searchTargets('endpoints')}) e ORDER BY e.id DESC LIMIT $limit)
     UNION ALL
     (SELECT NULL, d.id, d.source_id, d.url, d.description
      FROM (${searchTargets('destinations', ['source_id'])}) d ORDER BY d.id DESC LIMIT $limit)) t
   ORDER BY endpoint_id DESC NULLS LAST, destination_id DESC LIMIT $limit`,
  {
    params: { ...TARGET_SEARCH, limit: bigint },
    columns: {
      endpoint_id: nullable(uuid),
      destination_id: nullable(uuid),
      source_id: nullable(uuid),
      url: nullable(text),
      description: nullable(text),
    },
  },
);
