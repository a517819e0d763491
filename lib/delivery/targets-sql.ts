import { holdsText } from '@/lib/platform/sql/bounded-scan';
import { bigint, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** A search looks at so many endpoints, or destinations, of a project, the newest ones, and at so many bytes of their texts. */
const MAX_TARGETS = 3_000;
const MAX_SEARCHED_BYTES = 5_000_000;

/** The parameters of `searchTargets`. A search for an id is one from this id to this id, without a text. */
export const TARGET_SEARCH = { project: uuid, lowest: uuid, highest: uuid, text: nullable(text) };

/**
 * Returns a query of the endpoints, or the destinations, of a project that have a text in their URL or description: id, url, description
 * and `columns`, newest first. The length of a text is known without reading it.
 */
export function searchTargets(table: 'endpoints' | 'destinations', columns: readonly string[] = []): string {
  return `SELECT x.* FROM (
      SELECT newest.*, sum(octet_length(url) + coalesce(octet_length(description), 0)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT ${['id', 'url', 'description', ...columns].join(', ')} FROM ${table}
            WHERE (project_id, id) >= ($project, $lowest) AND (project_id, id) <= ($project, $highest) AND deleted_at IS NULL
            ORDER BY project_id DESC, id DESC LIMIT ${MAX_TARGETS}) newest) x
    WHERE $text::text IS NULL
       OR (x.bytes <= ${MAX_SEARCHED_BYTES} AND (${holdsText('x.url')} OR ${holdsText("coalesce(x.description, '')")}))`;
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
