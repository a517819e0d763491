import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '@/tests/http/certificate';
import { findDatabaseUrlFault, withLibpqMeaning } from './database-url';

const DATABASE = 'postgresql://app:s%40cret@db.example.com/app';
let folder: string;
let root: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
  root = path.join(folder, 'root.pem');
  fs.writeFileSync(root, makeCertificate('ca', new Date('2040-01-01')).cert);
  fs.writeFileSync(path.join(folder, 'empty.pem'), 'nothing');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

interface Tls {
  ca?: string;
  rejectUnauthorized?: boolean;
  checkServerIdentity?: () => undefined;
}

/** Returns how pg connects to a URL with these parameters. */
function tlsOf(parameters: string): { isEncrypted: boolean; checks: string[] } {
  const connectionString = withLibpqMeaning(`${DATABASE}?${parameters}`);
  const { ssl } = new pg.Client({ connectionString }) as unknown as { ssl: Tls | false };
  if (ssl === false) return { isEncrypted: false, checks: [] };
  const checks =
    ssl.rejectUnauthorized === false ? [] : [ssl.ca === undefined ? 'public authorities' : 'own authority'];
  if (checks.length > 0 && ssl.checkServerIdentity === undefined) checks.push('host name');
  return { isEncrypted: true, checks };
}

describe('sslmode means what it means to libpq', () => {
  it.each([
    ['sslmode=disable', false, []],
    ['sslmode=require', true, []],
    ['sslmode=no-verify', true, []],
    ['sslmode=require&sslrootcert=ROOT', true, ['own authority']],
    ['sslmode=verify-ca&sslrootcert=ROOT', true, ['own authority']],
    ['sslmode=verify-full', true, ['public authorities', 'host name']],
    ['sslmode=verify-full&sslrootcert=ROOT', true, ['own authority', 'host name']],
    ['sslmode=verify-full&sslrootcert=system', true, ['public authorities', 'host name']],
    ['sslrootcert=system', true, ['public authorities', 'host name']],
    ['sslrootcert=ROOT', true, ['own authority', 'host name']],
  ])('%s', (parameters, isEncrypted, checks) => {
    expect(tlsOf(parameters.replace('ROOT', encodeURIComponent(root)))).toEqual({ isEncrypted, checks });
  });

  it('and the rest of the URL stays as it is', () => {
    expect(withLibpqMeaning(DATABASE)).toBe(DATABASE);
    const { user, password, host, database } = new pg.Client(withLibpqMeaning(`${DATABASE}?sslmode=require`));
    expect([user, password, host, database]).toEqual(['app', 's@cret', 'db.example.com', 'app']);
  });
});

describe('a connection URL', () => {
  it.each<[string, string | null]>([
    ['sslmode=prefer', 'has an unknown sslmode; it must be disable, require, verify-ca or verify-full'],
    ['sslmode=verify-everything', 'has an unknown sslmode; it must be disable, require, verify-ca or verify-full'],
    ['sslmode=require&sslrootcert=system', 'needs sslmode=verify-full for sslrootcert=system'],
    ['sslmode=verify-ca&sslrootcert=system', 'needs sslmode=verify-full for sslrootcert=system'],
    ['sslmode=verify-full&sslrootcert=system', null],
    ['sslmode=verify-ca', 'needs sslrootcert for sslmode=verify-ca'],
    ['sslmode=verify-full&sslrootcert=/no/such/file', 'names a certificate or key that cannot be read'],
    ['sslmode=verify-full&sslrootcert=EMPTY', 'names an sslrootcert that is no certificate in PEM'],
    ['sslmode=verify-full&sslrootcert=ROOT', null],
    ['sslmode=require', null],
    ['sslcert=ROOT&sslkey=ROOT&sslnegotiation=direct', null],
    ['application_name=eds', null],
    ['ssl=true', null],
    ['ssl=verify-full', 'has an unknown ssl; use sslmode'],
    ['sslMode=verify-full', 'has an unknown parameter sslMode; those about TLS are KNOWN'],
    ['ssl_mode=verify-full', 'has an unknown parameter ssl_mode; those about TLS are KNOWN'],
    ['ssl-mode=REQUIRED', 'has an unknown parameter ssl-mode; those about TLS are KNOWN'],
    ['sslcrl=ROOT', 'has an unknown parameter sslcrl; those about TLS are KNOWN'],
    [
      'application_name=eds&amp;sslmode=verify-full',
      'has an unknown parameter amp%3Bsslmode; those about TLS are KNOWN',
    ],
    ['sslmode%20=verify-full', 'has an unknown parameter sslmode%20; those about TLS are KNOWN'],
    ['sslmode=disable&sslmode=verify-full', 'has more than one sslmode'],
    ['sslmode=verify-full&sslrootcert=ROOT&sslrootcert=ROOT', 'has more than one sslrootcert'],
    ['application_name=eds?sslmode=verify-full', 'has sslmode outside of its parameters'],
    ['application_name=eds;sslmode=verify-full', 'has sslmode outside of its parameters'],
    ['#sslmode=verify-full', 'has sslmode outside of its parameters'],
  ])('with %s: %s', (parameters, fault) => {
    const filled = parameters.replaceAll('ROOT', root).replace('EMPTY', path.join(folder, 'empty.pem'));
    const known = 'ssl, sslmode, sslrootcert, sslcert, sslkey and sslnegotiation';
    expect(findDatabaseUrlFault(`${DATABASE}?${filled}`)).toBe(fault?.replace('KNOWN', known) ?? null);
  });
});
