/*
 * Rows of the outbox take turns: owners of organizations, then their projects, then the customers of a project, beside its own events. A
 * turn key names the rows of one turn: `project` or `project:customer`.
 */

/** SQL for a turn key. `customer` may be null. */
export const turnKeySql = (project: string, customer: string) => `concat_ws(':', ${project}, ${customer})`;

/** SQL for the id that rows of one turn share in a project. */
export const TURN_ID = 'coalesce(customer_id, project_id)';

/** Returns the turn key of a project's customer; without one, that of the project's own rows. */
export function turnKeyOf(projectId: string, customerId: string | null): string {
  return customerId === null ? projectId : `${projectId}:${customerId}`;
}

/** Returns the project of a turn key. */
export function projectOfTurn(key: string): string {
  const at = key.indexOf(':');
  return at === -1 ? key : key.slice(0, at);
}

/** Returns the TURN_ID of a turn key. */
export function turnIdOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
