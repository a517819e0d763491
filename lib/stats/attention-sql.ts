import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** The newest rows of each kind that are examined. */
const MAX_OF_A_KIND = 3_000;

const newest = (table: string, columns: string) => `
  SELECT id, ${columns} FROM ${table} WHERE ${byIndex('project_id', '$project')} AND deleted_at IS NULL
  ORDER BY project_id DESC, id DESC LIMIT ${MAX_OF_A_KIND}`;
const TARGET = 'url, description, enabled, disabled_reason, disabled_at, failing_since';

/**
 * Selects what of a project needs attention now: for each reason how many, and the one for which it began first. An endpoint is silent
 * when it is subscribed to events, and its last delivery is from before `silentFrom`, but not from before `activeFrom`.
 */
export const selectAttention = statement(
  `WITH endpoint AS MATERIALIZED (${newest('endpoints', TARGET)}), destination AS (${newest('destinations', `source_id, ${TARGET}`)}),
   found AS (
     SELECT 'ENDPOINT_DISABLED' AS reason, disabled_at AS since, id AS endpoint_id, NULL::uuid AS destination_id,
            NULL::uuid AS source_id, url AS name, description
     FROM endpoint WHERE NOT enabled AND disabled_reason IS NOT NULL
     UNION ALL
     SELECT 'ENDPOINT_FAILING', failing_since, id, NULL, NULL, url, description
     FROM endpoint WHERE enabled AND failing_since IS NOT NULL
     UNION ALL
     SELECT 'ENDPOINT_SILENT', d.created_at, e.id, NULL, NULL, e.url, e.description
     FROM endpoint e CROSS JOIN LATERAL (
       SELECT created_at FROM deliveries WHERE ${byIndex('endpoint_id', 'e.id')} AND project_id = $project
       ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT 1) d
     WHERE e.enabled AND e.failing_since IS NULL AND d.created_at < $silentFrom AND d.created_at >= $activeFrom
       AND EXISTS (SELECT FROM subscriptions s WHERE s.endpoint_id = e.id AND s.project_id = $project AND s.enabled)
     UNION ALL
     SELECT 'DESTINATION_DISABLED', disabled_at, NULL, id, source_id, url, description
     FROM destination WHERE NOT enabled AND disabled_reason IS NOT NULL
     UNION ALL
     SELECT 'DESTINATION_FAILING', failing_since, NULL, id, source_id, url, description
     FROM destination WHERE enabled AND failing_since IS NOT NULL
     UNION ALL
     SELECT 'SOURCE_WITHOUT_SECRET', NULL, NULL, NULL, id, name, NULL
     FROM (${newest('sources', 'name, enabled, provider, secret_encrypted IS NULL AS has_none')}) source
     WHERE enabled AND provider <> 'NONE' AND has_none)
   SELECT DISTINCT ON (reason) reason, (count(*) OVER (PARTITION BY reason))::int AS count, since, endpoint_id, destination_id,
          source_id, name, nullif(description, '') AS description
   FROM found ORDER BY reason, since, endpoint_id, destination_id, source_id`,
  {
    params: { project: uuid, silentFrom: timestamp, activeFrom: timestamp },
    columns: {
      reason: nullable(text),
      count: nullable(integer),
      since: nullable(timestamp),
      endpoint_id: nullable(uuid),
      destination_id: nullable(uuid),
      source_id: nullable(uuid),
      name: nullable(text),
      description: nullable(text),
    },
  },
);
