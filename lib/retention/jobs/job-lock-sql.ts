import { boolean } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Takes the lock $1 for the connection, unless another one has it. */
export const tryLock = statement(`SELECT pg_try_advisory_lock(hashtextextended('retention:' || $1, 0)) AS taken`, {
  taken: boolean,
});

/** Fails when the connection, and so its lock, is lost. */
export const checkConnection = statement('SELECT 1');

/** Releases every lock of the connection. */
export const releaseLocks = statement('SELECT pg_advisory_unlock_all()');
