import { statement } from '@/lib/platform/sql/statement';

/** A batch waits no longer for a lock: PostgreSQL would look for a deadlock after a second. */
const LOCK_TIMEOUT_MS = 500;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
