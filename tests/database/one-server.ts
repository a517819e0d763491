import { inject, it } from 'vitest';

/** Does not register a test. */
const omit = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof it;

/**
 * `it` for tests of what one PostgreSQL has and a cluster lacks, such as its plans and the connections to it. With TEST_CITUS_URL they do
 * not exist.
 */
export const itOnOneServer = inject('postgres').nodeUrls.length === 0 ? it : omit;
