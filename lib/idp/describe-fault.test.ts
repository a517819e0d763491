import { describe, expect, it } from 'vitest';
import { describeFault } from './describe-fault';

const fault = (name: string, message: string, members: object = {}) =>
  Object.assign(new Error(message), { name, ...members });

describe('the logged description of a provider error', () => {
  it.each([
    [fault('OPError', 'invalid_client (secret of ada@example.com)', { error: 'invalid_client' }), 'invalid_client'],
    [fault('RPError', 'nonce mismatch, expected s3cret, got: other'), 'nonce mismatch'],
    [fault('RPError', 'expected 200 OK, got: 404 Not Found'), 'expected 200 OK'],
    [fault('Error', 'connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [fault('TypeError', 'fetch failed', { cause: fault('Error', '', { code: 'ENOTFOUND' }) }), 'TypeError: ENOTFOUND'],
    ['text', 'unknown'],
  ])('of %s contains nothing that the message quotes', (thrown, said) => {
    expect(describeFault(thrown)).toBe(said);
  });

  it('ignores a malformed code of the provider', () => {
    expect(describeFault(fault('OPError', 'x', { error: 'ada@example.com\n{"level":60}' }))).toBe('OPError');
  });
});
