import { afterEach, expect, it, vi } from 'vitest';
import { sessionStore } from './session';
import { mayHaveSession } from './session-hint';
import { toSession } from './session-store';

const user = {
  id: 'ada',
  email: 'ada@example.com',
  name: null,
  emailVerified: true,
  hasPassword: true,
  timeZone: 'LOCAL' as const,
};
const session = toSession({ accessToken: 'secret', tokenType: 'Bearer', expiresIn: 900, user, organization: null }, 0);

afterEach(() => {
  vi.unstubAllGlobals();
});

function stubStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('document', { cookie: '' });
  return stored;
}

it('a browser may have a session from a sign-in until a sign-out, and stores nothing of it', () => {
  const stored = stubStorage();
  expect(mayHaveSession()).toBe(false);
  sessionStore.set({ status: 'signed-in', session });
  expect(mayHaveSession()).toBe(true);
  expect(JSON.stringify([...stored])).not.toMatch(/secret|ada/);
  sessionStore.set({ status: 'unreachable', error: null });
  expect(mayHaveSession()).toBe(true);
  sessionStore.set({ status: 'signed-out', reason: 'ended' });
  expect(mayHaveSession()).toBe(false);
});

it('the cookie of a session is enough', () => {
  vi.stubGlobal('document', { cookie: 'theme=dark; eds_session=1' });
  expect(mayHaveSession()).toBe(true);
});

it('a browser without storage has no hint', () => {
  vi.stubGlobal('document', { cookie: 'not_eds_session=1' });
  expect(mayHaveSession()).toBe(false);
  expect(() => sessionStore.set({ status: 'signed-in', session })).not.toThrow();
  sessionStore.set({ status: 'signed-out', reason: 'signed-out' });
});
