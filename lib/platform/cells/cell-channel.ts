import { FIRST_CELL } from './current-cell';

/**
 * Returns SQL of the channel that wakes the workers of the cell that a statement runs in. PostgreSQL sends notifications to all who
 * listen in a database: each cell has channels of its own, so that its workers hear nothing of the others.
 */
export const cellChannelSql = (channel: string) =>
  `concat_ws('_', '${channel}', nullif(current_schema(), '${FIRST_CELL}'))`;

/** Returns the name of that channel. The first cell has the plain one. */
export const cellChannel = (channel: string, cell: string) => (cell === FIRST_CELL ? channel : `${channel}_${cell}`);
