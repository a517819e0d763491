import { boolean } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Takes the lock of the branch $1 for the connection, unless another one has it. */
export const tryLock = statement(`SELECT pg_try_advisory_lock(hashtextextended('partitions:' || $1, 0)) AS taken`, {
  taken: boolean,
});

/** Releases the lock of the branch $1. */
export const unlock = statement(`SELECT pg_advisory_unlock(hashtextextended('partitions:' || $1, 0))`);
