import { beforeEach, describe, expect, it } from 'vitest';
import { markCredential } from '@/lib/delivery/credential-mark';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { setTestConfig } from '@/tests/setup/variables';
import { keptHeaders } from './kept-request';

const FORWARD = { 'x-eds-incoming-event-id': '0199-event', 'x-eds-via': 'a', 'x-vault': 'hush', 'x-a': 'b' };
const kept = (headers: Record<string, string>): HeaderPairs =>
  JSON.parse(keptHeaders(Object.entries(headers), 'X-Signature-Token'));

beforeEach(() => {
  setTestConfig();
});

describe('the headers that are kept with an incoming event', () => {
  it('lack the credential of a forward from another source', () => {
    expect(kept(markCredential(FORWARD, 'x-vault'))).toEqual([
      ['x-eds-via', 'a'],
      ['x-a', 'b'],
    ]);
  });

  it('have the names of tokens without their values, and the signature that the source checks', () => {
    const tokens = ['x-gitlab-token', 'x-telegram-bot-api-secret-token', 'x_api_key', 'x-secret-key', 'x-password'];
    const others = ['x-signature-token', 'x-hub-signature-256', 'x-tokens-left', 'content-type'];
    const sent = Object.fromEntries([...tokens, ...others].map((name) => [name, 'hush']));
    expect(kept(sent)).toEqual([
      ...tokens.map((name) => [name, '[redacted]']),
      ...others.map((name) => [name, 'hush']),
    ]);
  });

  it('have a header that a stranger calls a credential', () => {
    const names = kept({ ...FORWARD, 'x-eds-credential-mark': `x-vault ${'A'.repeat(43)}` }).map(([name]) => name);
    expect(names).toEqual(['x-eds-via', 'x-vault', 'x-a']);
  });
});
