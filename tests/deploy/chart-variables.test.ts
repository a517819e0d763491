import { describe, expect, it } from 'vitest';
import { environmentOf, type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import type { Variable } from '@/lib/platform/config/variable-types';
import { VARIABLES } from '@/lib/platform/config/variables';
import { pick, renderChart, templateChart, variablesOf } from './chart';

const ALL = Object.entries<Variable<unknown>>(VARIABLES);
/** Values of their own; all other variables that are not secret are set below config. */
const SECRETS = {
  database: { existingSecret: 'postgres', urlKey: 'url', directUrlKey: 'direct' },
  secrets: { existingSecret: 'keys', authSecretKey: 'auth', encryptionKeyKey: 'encryption' },
  idpSignIn: { clientId: 'my-client', existingSecret: 'google' },
  platformAdmin: { existingSecret: 'operator' },
  mail: { existingSecret: 'smtp' },
  metrics: { existingSecret: 'prometheus' },
};
const config = Object.fromEntries(
  ALL.filter(([name, { secret }]) => secret !== true && name !== 'IDP_OAUTH_CLIENT_ID').map(
    ([name, { default: byDefault }]) => [name, byDefault === '' ? '' : byDefault],
  ),
);
const objects = renderChart({ ...SECRETS, config });

describe.each(Object.keys(REQUIRED_OF) as Part[])('%s', (part) => {
  const set = variablesOf(objects, part);

  it('gets every variable from the values, without the secrets that it does not use', () => {
    const names = ALL.map(([name]) => name);
    const expected = Object.keys(environmentOf(part, Object.fromEntries(names.map((name) => [name, name])) as never));
    // A process that needs no OAuth client, no admin and no mail gets neither.
    expect([...set.keys()].filter((name) => name in VARIABLES).sort()).toEqual(expected.sort());
  });

  it('has each secret by reference only', () => {
    for (const [name, { secret }] of ALL) {
      if (secret !== true || !set.has(name)) continue;
      expect(set.get(name), name).toEqual({ name, valueFrom: { secretKeyRef: expect.any(Object) } });
    }
  });
});

describe('the values', () => {
  it('name the Secrets and keys of the database', () => {
    const set = variablesOf(objects, 'worker');
    expect(set.get('DATABASE_URL')?.valueFrom?.secretKeyRef).toEqual({ name: 'postgres', key: 'url' });
    expect(set.get('DATABASE_DIRECT_URL')?.valueFrom?.secretKeyRef).toEqual({ name: 'postgres', key: 'direct' });
  });

  it('idpSignIn.clientId and idpSignIn.existingSecret set the OAuth client of web alone', () => {
    const set = variablesOf(objects, 'web');
    expect(set.get('IDP_OAUTH_CLIENT_ID')?.value).toBe('my-client');
    expect(set.get('IDP_OAUTH_CLIENT_SECRET')?.valueFrom?.secretKeyRef).toEqual({
      name: 'google',
      key: 'IDP_OAUTH_CLIENT_SECRET',
    });
    expect(variablesOf(objects, 'worker').has('IDP_OAUTH_CLIENT_ID')).toBe(false);
  });

  it.each([
    [{ clientId: 'my-client' }, 'idpSignIn.existingSecret must name'],
    [{ existingSecret: 'google' }, 'idpSignIn.clientId must be set'],
  ])('refuse one half of the OAuth client: %o', (idpSignIn, reason) => {
    const { code, stderr } = templateChart({ idpSignIn });
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
  });

  it('that are not set leave the variables at their defaults', () => {
    const names = [...variablesOf(renderChart(), 'web').keys()];
    expect(names.sort()).toEqual(['AUTH_SECRET', 'DATABASE_URL', 'ENCRYPTION_KEY', 'POD_IP', 'TUNNEL_PEER_URL']);
  });

  it('keep large numbers as they are', () => {
    const set = variablesOf(
      renderChart({ config: { DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: 2_000_000_000 } }),
      'web',
    );
    expect(set.get('DATA_RETENTION_TABLE_METRICS_INTERVAL_MS')?.value).toBe('2000000000');
  });

  it('keep a share as it is', () => {
    const values = [0.1, '0.25', 1, 0].map(
      (share) =>
        variablesOf(renderChart({ config: { LOG_REQUEST_SAMPLE: share } }), 'worker').get('LOG_REQUEST_SAMPLE')?.value,
    );
    expect(values).toEqual(['0.1', '0.25', '1', '0']);
  });

  it('may contain the address of the pod, such as an IPv6 one in brackets', () => {
    const url = 'http://[$(POD_IP)]:3000';
    const set = variablesOf(renderChart({ config: { TUNNEL_PEER_URL: url } }), 'web');
    expect(set.get('TUNNEL_PEER_URL')?.value).toBe(url);
    // Kubernetes replaces only the names of earlier variables.
    expect([...set.keys()][0]).toBe('POD_IP');
  });

  it('keep an empty list of allowed ranges apart from an unset one', () => {
    const set = variablesOf(renderChart({ config: { DELIVERY_ALLOWED_CIDRS: '' } }), 'worker');
    expect(set.get('DELIVERY_ALLOWED_CIDRS')?.value).toBe('');
  });

  it('render no object with a secret', () => {
    expect(pick(objects, 'Secret')).toEqual([]);
  });
});
