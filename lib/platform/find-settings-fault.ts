import type pg from 'pg';
import { config } from '@/lib/platform/config/config';
import { findConnectionFault } from '@/lib/platform/database-connection-fault';
import { isDatabasePooled } from '@/lib/platform/database-urls';
import { database, directDatabase, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { describeOtherDatabase, isSameDatabase } from '@/lib/platform/same-database';
import { readStatementTimeout } from './settings-fault-sql';

/**
 * Returns in one line why DATABASE_URL or DATABASE_DIRECT_URL can never work, such as a certificate that no given authority has
 * signed, or two databases; null when both work. Warns when a pooler gives statements no limit (docs/guides/database.md).
 *
 * @throws when the database does not answer, or refuses for another reason
 */
export async function findSettingsFault(): Promise<string | null> {
  const isPooled = isDatabasePooled();
  const { DATABASE_URL: url = '', DATABASE_DIRECT_URL: directUrl = '' } = config();
  const pools: [string, string, () => pg.Pool][] = [['DATABASE_URL', url, database]];
  if (isPooled) pools.push(['DATABASE_DIRECT_URL', directUrl, directDatabase]);
  for (const [variable, address, pool] of pools) {
    try {
      const { timeout } = await readStatementTimeout.one(pool());
      if (timeout === '0')
        log().warn({ variable }, 'the pooler sets no statement_timeout: see docs/guides/database.md');
    } catch (error) {
      const fault = findConnectionFault(variable, address, error);
      if (fault !== null) return fault;
      throw error;
    }
  }
  if (!isPooled) return null;
  // The commit fails when the lock was lost meanwhile: then nothing was found out.
  const isSame = await inSqlTransaction((tx) => isSameDatabase(tx, database()), { pool: directDatabase() });
  return isSame ? null : describeOtherDatabase(directUrl, url);
}
