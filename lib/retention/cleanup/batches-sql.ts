import { statement } from '@/lib/platform/sql/statement';

/** The longest wait for a lock. Shorter than a second, after which PostgreSQL checks for deadlocks. */
const LOCK_TIMEOUT_MS = 500;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
