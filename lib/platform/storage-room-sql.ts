import { bigint, nullable } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Returns the bytes of the database with its indexes. */
export const databaseSize = statement('SELECT pg_database_size(current_database()) AS bytes', {
  bytes: nullable(bigint),
});
