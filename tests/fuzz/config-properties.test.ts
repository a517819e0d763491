import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { expect, it } from 'vitest';
import { clientAddressResolver } from '@/lib/http/client-address';
import { type Config, ConfigError, parseConfig } from '@/lib/platform/config/config';
import { VARIABLES } from '@/lib/platform/config/variables';
import { addressPolicy } from '@/lib/platform/net/address-policy';
import { words } from './hostile-values';

const NAMES = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];

/** Valid and invalid fragments of values. */
const pieces = fc.constantFrom(
  '10.0.0.0/8',
  '10.0.0.0/99',
  '1.2.3.4',
  '1.2.3.4.5',
  ':::',
  '::1',
  'fe80::1%eth0',
  '0x7f.1',
  '256.1.1.1',
  'http://localhost',
  'https://events.example.com/',
  'https://a:b@c',
  'http://[::1',
  'smtp://mail',
  'smtps://:465',
  ...words('postgresql://localhost/app postgres:// ?sslrootcert=/none ?sslmode=verify-full %zz a@b <> true yes'),
  ...words('0 -1 1e9 99999999999999999999 ٣ NaN info'),
  'A <a@b>',
  '* * * * *',
  '0 0 30 2 *',
  'x'.repeat(40),
  Buffer.alloc(32).toString('base64'),
  ',',
  ' ',
  '\t',
  '\n',
  '\0',
  '"',
  "'",
  '%',
  '$',
  '#',
  '\u2028',
  '\ud800',
);
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(',')),
);

function parse(environment: Record<string, string>): Config | string[] {
  try {
    return parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

it('every value of a variable is either rejected in one line that names the variable, or accepted by all of its readers', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), value, (name, text) => {
      const parsed = parse({ [name]: text });
      if (Array.isArray(parsed)) {
        expect(parsed.length).toBeGreaterThan(0);
        for (const line of parsed) expect(line).toMatch(/^[A-Z_]+: [^\n]+$/);
        if (!name.startsWith('IDP_OAUTH_CLIENT'))
          expect(parsed[0]).toMatch(new RegExp(`^(?:${name}|AUTH_LOCKOUT_MAX_SECONDS): `));
        return;
      }
      expect(addressPolicy(parsed)('203.0.113.7')).toBeTypeOf('boolean');
      expect(clientAddressResolver(parsed.TRUSTED_PROXIES)('127.0.0.1', '203.0.113.7')).toBeTypeOf('string');
      expect(new URL(parsed.baseUrl).origin).toBe(parsed.baseUrl);
      if (parsed.DATABASE_URL !== undefined) new pg.Client({ connectionString: parsed.DATABASE_URL });
      if (parsed.MAIL_URL !== undefined) createTransport(parsed.MAIL_URL).close();
    }),
    { numRuns: 5_000 },
  );
});
