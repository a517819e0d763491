import { statement } from '@/lib/platform/sql/statement';

/** Makes a transaction refuse changes. */
export const refuseChanges = statement('SET TRANSACTION READ ONLY');
