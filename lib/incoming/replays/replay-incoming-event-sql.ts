import { boolean, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Finds incoming event $2 of project $1. */
export const findIncomingEvent = statement(
  'SELECT source_id, verified FROM incoming_events WHERE project_id = $1 AND id = $2',
  { source_id: uuid, verified: nullable(boolean) },
);

/** Locks incoming event $2 of project $1, so that retention does not remove it. */
export const lockIncomingEvent = statement(
  'SELECT FROM incoming_events WHERE project_id = $1 AND id = $2 FOR KEY SHARE',
);
