/** How a condition of a filter compares what an event has with its value. */
export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'startsWith',
  'endsWith',
  'contains',
  'exists',
] as const;
export type Operator = (typeof OPERATORS)[number];
