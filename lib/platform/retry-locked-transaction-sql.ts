import { statement } from '@/lib/platform/sql/statement';

/** PostgreSQL checks for deadlocks after a wait of one second. A transaction that gives up sooner is never in one. */
const LOCK_TIMEOUT_MS = 250;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
