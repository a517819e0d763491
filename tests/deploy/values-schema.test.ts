import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Variable } from '@/lib/platform/config/variable-types';
import { VARIABLES } from '@/lib/platform/config/variables';
import { CHART, templateChart } from './chart';

const SCHEMA = `${CHART}/values.schema.json`;
/** Set by a value of its own, next to its Secret. */
const ELSEWHERE = ['IDP_OAUTH_CLIENT_ID'];

/** Numbers and booleans may be written without quotes. */
function schemaOf({ schema, default: byDefault, about }: Variable<unknown>): object {
  if (schema.safeParse('0.5').data === 0.5)
    return { description: about, type: ['number', 'string'], pattern: '^([0-9]+(\\.[0-9]+)?)?$' };
  if (/^\d+$/.test(byDefault)) return { description: about, type: ['integer', 'string'], pattern: '^[0-9]*$' };
  if (byDefault === 'true' || byDefault === 'false')
    return { description: about, enum: [true, false, 'true', 'false', ''] };
  return { description: about, type: 'string' };
}

describe('values.schema.json', () => {
  it('describes every variable that is not a secret below config (updated by: npx vitest run -u)', async () => {
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'));
    const open = Object.entries<Variable<unknown>>(VARIABLES).filter(
      ([name, { secret }]) => secret !== true && !ELSEWHERE.includes(name),
    );
    schema.properties.config.properties = Object.fromEntries(open.map(([name, each]) => [name, schemaOf(each)]));
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../${SCHEMA}`);
  });

  it.each([
    ['a misspelled value', { web: { replica: 2 } }, 'replica'],
    ['a misspelled variable', { config: { LOG_LEVELS: 'info' } }, 'LOG_LEVELS'],
    ['a secret as a value', { config: { AUTH_SECRET: 'x' } }, 'AUTH_SECRET'],
    ['an invalid number', { config: { AUTH_BCRYPT_COST: 'high' } }, 'AUTH_BCRYPT_COST'],
    ['an invalid boolean', { config: { AUTH_LOCKOUT_ENABLED: 'yes' } }, 'AUTH_LOCKOUT_ENABLED'],
    ['another way to run retention', { retention: { mode: 'both' } }, 'mode'],
    ['no Secret with the database', { database: { existingSecret: '' } }, 'existingSecret'],
    [
      'a time to stop that is too short',
      { web: { terminationGracePeriodSeconds: 5 } },
      'terminationGracePeriodSeconds',
    ],
    ['a port beyond all ports', { service: { port: 70_000 } }, 'port'],
  ])('refuses %s', (_what, values, named) => {
    const { code, stderr } = templateChart(values);
    expect(code).not.toBe(0);
    expect(stderr).toContain(named);
  });

  it('accepts numbers and booleans with and without quotes', () => {
    const quoted = { AUTH_BCRYPT_COST: '12', AUTH_LOCKOUT_ENABLED: 'false' };
    const plain = { AUTH_BCRYPT_COST: 12, AUTH_LOCKOUT_ENABLED: false };
    const [first, second] = [quoted, plain].map((config) => templateChart({ config }));
    expect(first).toMatchObject({ code: 0 });
    expect(second?.stdout).toBe(first?.stdout);
  });
});
