/** The headings of the overview, in its order. */
export const TOPICS = {
  base: 'Base URL and versions',
  authentication: 'Authentication',
  idempotency: 'Idempotency',
  errors: 'Errors',
  pagination: 'Pagination',
  'rate-limits': 'Rate limits',
  caching: 'ETags and caching',
  'request-ids': 'Request IDs',
} as const;

export type Topic = keyof typeof TOPICS;
