import { integer, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Counts what the limits of a live project count, except its keys and customers. Each count reads at most as many rows as its limit
 * allows.
 */
export const countInProject = statement(
  `SELECT p.id,
          (SELECT count(*)::int FROM endpoints x WHERE x.project_id = p.id AND x.deleted_at IS NULL AND x.customer_id IS NULL) AS endpoints,
          (SELECT count(*)::int FROM subscriptions x WHERE x.project_id = p.id AND x.customer_id IS NULL) AS subscriptions,
          (SELECT count(*)::int FROM event_types x WHERE x.project_id = p.id) AS event_types,
          (SELECT count(*)::int FROM sources x WHERE x.project_id = p.id AND x.deleted_at IS NULL) AS sources,
          (SELECT count(*)::int FROM destinations x WHERE x.project_id = p.id AND x.deleted_at IS NULL) AS destinations,
          (SELECT count(*)::int FROM tunnels x WHERE x.project_id = p.id) AS tunnels,
          (SELECT count(*)::int FROM alerts x WHERE x.project_id = p.id) AS alerts
   FROM projects p WHERE p.id = $project AND p.organization_id = $organization AND p.deleted_at IS NULL`,
  {
    params: { project: uuid, organization: uuid },
    columns: {
      id: uuid,
      endpoints: integer,
      subscriptions: integer,
      event_types: integer,
      sources: integer,
      destinations: integer,
      tunnels: integer,
      alerts: integer,
    },
  },
);

/** Counts the live projects of an organization. */
export const countProjects = statement(
  'SELECT count(*)::int AS projects FROM projects WHERE organization_id = $organization AND deleted_at IS NULL',
  { params: { organization: uuid }, columns: { projects: integer } },
);
