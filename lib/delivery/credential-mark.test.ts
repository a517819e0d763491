import { beforeEach, describe, expect, it } from 'vitest';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { setTestConfig } from '@/tests/setup/variables';
import { markCredential, markedCredential } from './credential-mark';

const EVENT = { 'x-eds-incoming-event-id': '0199-event', 'x-vault': 'hush' };
const marked = (headers: Record<string, string> = EVENT, name = 'x-vault'): HeaderPairs =>
  Object.entries(markCredential(headers, name));

beforeEach(() => {
  setTestConfig();
});

describe('the mark on the credential of a forward', () => {
  it('tells the service the name of the header', () => {
    expect(markedCredential(marked())).toBe('x-vault');
    expect(markedCredential(Object.entries(EVENT))).toBeNull();
  });

  it('has no effect when a stranger makes it, changes it, or uses it for another event', () => {
    const [, proof = ''] = Object.fromEntries(marked())['x-eds-credential-mark']?.split(' ') ?? [];
    const withMark = (mark: string, id = '0199-event'): HeaderPairs => [
      ['X-EDS-Credential-Mark', mark],
      ['X-EDS-Incoming-Event-Id', id],
    ];
    expect(markedCredential(withMark(`x-vault ${proof}`))).toBe('x-vault');
    for (const mark of ['x-vault', 'x-vault ', `x-exploit ${proof}`, `x-vault ${'A'.repeat(43)}`, ` ${proof}`, '']) {
      expect(markedCredential(withMark(mark)), mark).toBeNull();
    }
    expect(markedCredential(withMark(`x-vault ${proof}`, '0199-other'))).toBeNull();
  });

  it('is valid while ENCRYPTION_KEY is rotated, and not in another deployment', () => {
    const [old, other] = ['b'.repeat(43), 'c'.repeat(43)].map((text) => `${text}=`);
    setTestConfig({ ENCRYPTION_KEY: `${other},${old}` });
    const sent = marked();
    setTestConfig({ ENCRYPTION_KEY: `${old}` });
    expect(markedCredential(sent)).toBe('x-vault');
    setTestConfig({ ENCRYPTION_KEY: `${other}` });
    expect(markedCredential(sent)).toBeNull();
  });
});
