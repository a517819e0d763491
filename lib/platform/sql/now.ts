/*
 * Citus refuses functions like now() within CASE, and with the values of a row, in an UPDATE of a table of a cell: they are called
 * outside, and the row chooses among the results.
 */

/** Returns SQL of the current time where a condition holds, and of NULL elsewhere. */
export const nowIf = (condition: string) => `(ARRAY[now()])[CASE WHEN ${condition} THEN 1 END]`;

/** Returns SQL of the current time where a condition holds, and of the value of a column where it does not. It is never NULL. */
export const nowOr = (column: string, condition: string) => `(ARRAY[${column}, now()])[1 + (${condition})::int]`;

/**
 * Returns SQL of a time after now, by the value of a column.
 * @param seconds how much later it is, for the values 0, 1, 2 …; the last one stands for all greater values
 */
export const laterBy = (value: string, seconds: readonly (number | string)[]) =>
  `(ARRAY[${seconds.map((each) => `now() + make_interval(secs => ${each})`).join(', ')}])[1 + least(${value}, ${seconds.length - 1})]`;
