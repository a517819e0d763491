import { sqlState } from '@/lib/platform/database-errors';
import { oneLineOf } from '@/lib/platform/errors';

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
