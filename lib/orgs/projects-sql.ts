import { byIndex } from '@/lib/platform/sql/by-index';
import { nullable, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Finds when each of some projects stored its newest event. An index finds each. $1 projects, at most a page of them. */
export const findLastEvents = statement(
  `SELECT p.id AS project_id,
     (SELECT e.created_at FROM events e WHERE ${byIndex('e.project_id', 'p.id', 'e.id')}
      ORDER BY e.project_id DESC, e.id DESC LIMIT 1) AS at
   FROM unnest($1::uuid[]) AS p(id)`,
  { project_id: uuid, at: nullable(timestamp) },
);
