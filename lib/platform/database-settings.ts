import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { listCellNames } from '@/lib/platform/cells/cells-sql';
import { config } from './config/config';
import { isDatabasePooled } from './database-client';
import { SQL_STATE, sqlState } from './database-errors';
import { database, directDatabase, inSqlTransaction, type Sql } from './db';
import { oneLineOf } from './errors';
import { log } from './log';
import { findLock, readStatementTimeout, tryTransactionLock } from './session-sql';

/**
 * Returns in one line why DATABASE_URL or DATABASE_DIRECT_URL can never work, such as a certificate that no given authority has
 * signed, two databases, or a pooler in front of several cells; null when both work. Warns when a pooler gives statements no limit (docs/guides/database.md).
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
  if (!isSame) return describeOtherDatabase(directUrl, url);
  const cells = await countCells(directDatabase());
  return cells > 1 ? describeCellsBehindPooler(url, cells) : null;
}

/** Returns 0 for a database that is not migrated yet. */
async function countCells(sql: Sql): Promise<number> {
  try {
    return (await listCellNames.all(sql)).length;
  } catch (error) {
    if (sqlState(error) === SQL_STATE.undefinedTable) return 0;
    throw error;
  }
}

/** Returns the line for a pooler in front of several cells: it refuses the setting by which a connection finds the tables of one. */
function describeCellsBehindPooler(url: string, cells: number): string {
  const { host } = new URL(url);
  return `DATABASE_URL: must be PostgreSQL itself, because there are ${cells} cells and a pooler (${host}) finds the tables of one: set it to the value of DATABASE_DIRECT_URL, and unset that`;
}

/** PostgreSQL's invalid_authorization_specification: no line of pg_hba.conf fits. */
const NOT_ADMITTED = '28000';
/** Also the wrong password, and a database that does not exist. */
const REFUSED: readonly (string | undefined)[] = [NOT_ADMITTED, '28P01', '3D000'];
/** PgBouncer's answer to a parameter that it does not pass on. */
const PROTOCOL_VIOLATION = '08P01';
/** The errors of Node's TLS about a certificate, from either side. */
const CERTIFICATE_CODE = /CERT|SIGNATURE|^ERR_(TLS|SSL|OSSL)_/;

/**
 * Returns in one line why no connection can work with the settings of a URL, however often it is tried; null for faults that may
 * pass by themselves.
 *
 * @param variable the one with the URL
 */
export function findConnectionFault(variable: string, url: string, error: unknown): string | null {
  const { host } = new URL(url);
  const text = oneLineOf(error);
  const state = sqlState(error);
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) {
    return `${variable}: the certificate of ${host} was refused: ${text}`;
  }
  if (/server does not support SSL/i.test(text)) return `${variable}: ${host} offers no TLS, which the URL requires`;
  if (state === NOT_ADMITTED && text.endsWith('no encryption')) {
    return `${variable}: ${host} requires TLS: add sslmode=verify-full to the URL`;
  }
  if (REFUSED.includes(state)) return `${variable}: ${host} refused the connection: ${text}`;
  if (state !== PROTOCOL_VIOLATION || !text.includes('startup parameter')) return null;
  return variable === 'DATABASE_URL'
    ? `DATABASE_DIRECT_URL: must be set, because DATABASE_URL is a pooler (${host}: ${text})`
    : `${variable}: must be PostgreSQL itself, and is a pooler (${host}: ${text})`;
}

/**
 * Returns whether two connections reach the same database of the same server, by whatever names: takes a lock in a transaction of the
 * one, and looks for it through the other. Names, addresses and numbers would not tell: a pooler hides them, and copies share them.
 *
 * A replica does not show the locks of its primary. It passes: writing to it fails anyway, and some poolers send reads to replicas.
 *
 * @param transaction of a session, which must still hold when this returns: then commit it
 * @param other may be a pooler
 */
export async function isSameDatabase(transaction: Sql, other: Sql): Promise<boolean> {
  const key = randomBytes(8).readBigInt64BE().toString();
  const { taken } = await tryTransactionLock.one(transaction, { key });
  if (!taken) throw new Error('a random advisory lock is taken');
  const { is_found, is_replica } = await findLock.one(other, { key });
  return is_found || is_replica;
}

/** Returns the line for a DATABASE_DIRECT_URL to another database than that of DATABASE_URL. */
export function describeOtherDatabase(directUrl: string, pooledUrl: string): string {
  return `DATABASE_DIRECT_URL: must be the database of DATABASE_URL (${nameOf(directUrl)} is not ${nameOf(pooledUrl)})`;
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
