import { FIRST_CELL } from './current-cell';

/**
 * Returns SQL of the channel that wakes the workers of a cell, by default of that which the statement runs in. PostgreSQL sends
 * notifications to all who listen in a database: each cell has channels of its own, so that its workers hear nothing of the others.
 */
export const cellChannelSql = (channel: string, cell = 'current_schema()') =>
  `concat_ws('_', '${channel}', nullif(${cell}, '${FIRST_CELL}'))`;

/** Returns the name of that channel. The first cell has the plain one. */
export const cellChannel = (channel: string, cell: string) => (cell === FIRST_CELL ? channel : `${channel}_${cell}`);

/** The channel that tells web processes that an organization has moved to another cell. */
export const MOVES_CHANNEL = 'eds_cell_moves';
