import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error';
import { withAccessToken } from './api-fetch';
import { mayHaveSession, sessionStore } from './session';
import { type Session, SessionStore, toSession } from './session-store';

function sessionOf(userId: string, accessToken = `token of ${userId}`): Session {
  const user = {
    id: userId,
    email: `${userId}@example.com`,
    name: null,
    emailVerified: true,
    hasPassword: true,
    timeZone: 'LOCAL' as const,
  };
  return toSession({ accessToken, tokenType: 'Bearer', expiresIn: 900, user, organization: null }, 0);
}

function holding(userId: string): SessionStore {
  const store = new SessionStore();
  store.set({ status: 'signed-in', session: sessionOf(userId) });
  return store;
}

it('replaces a session of the same person', () => {
  const store = holding('ada');
  store.set({ status: 'signed-in', session: sessionOf('ada', 'newer') });
  expect(store.session?.accessToken).toBe('newer');
});

it('ends the page instead of switching to another person', () => {
  const store = holding('ada');
  store.set({ status: 'signed-in', session: sessionOf('grace') });
  expect(store.getState()).toEqual({ status: 'replaced' });
  expect(store.session).toBeNull();
});

it('stays ended after any later state', () => {
  const store = holding('ada');
  store.set({ status: 'signed-in', session: sessionOf('grace') });
  store.set({ status: 'signed-in', session: sessionOf('ada') });
  store.set({ status: 'signed-out', reason: 'signed-out' });
  expect(store.getState()).toEqual({ status: 'replaced' });
});

it('accepts another person after a sign-out', () => {
  const store = holding('ada');
  store.set({ status: 'signed-out', reason: 'signed-out' });
  store.set({ status: 'signed-in', session: sessionOf('grace') });
  expect(store.session?.user.id).toBe('grace');
});

describe('a page with unsaved forms', () => {
  const unsaved = () => {
    const store = new SessionStore(() => true);
    store.set({ status: 'signed-in', session: sessionOf('ada') });
    return store;
  };

  it('stays open when the server ends the session, and works again once the same person signs in', () => {
    const store = unsaved();
    store.set({ status: 'signed-out', reason: 'closed' });
    store.set({ status: 'signed-out', reason: 'ended' });
    expect([store.session, store.kept?.user.id]).toEqual([null, 'ada']);
    store.set({ status: 'signed-in', session: sessionOf('ada', 'newer') });
    expect([store.session?.accessToken, store.kept]).toEqual(['newer', null]);
  });

  it('closes when the person signs out or leaves it, or when another person signs in', () => {
    const signedOut = unsaved();
    signedOut.set({ status: 'signed-out', reason: 'signed-out' });
    expect(signedOut.getState()).toEqual({ status: 'signed-out', reason: 'signed-out' });
    const left = unsaved();
    left.set({ status: 'signed-out', reason: 'expired' });
    left.leaveKept();
    expect(left.getState()).toEqual({ status: 'signed-out', reason: 'expired' });
    const replaced = unsaved();
    replaced.set({ status: 'signed-out', reason: 'expired' });
    replaced.set({ status: 'signed-in', session: sessionOf('grace') });
    expect(replaced.getState()).toEqual({ status: 'replaced' });
  });

  it('closes without unsaved forms, as any page', () => {
    const store = holding('ada');
    store.set({ status: 'signed-out', reason: 'closed' });
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'closed' });
  });
});

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
  sessionStore.set({ status: 'signed-in', session: sessionOf('ada', 'secret') });
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
  expect(() => sessionStore.set({ status: 'signed-in', session: sessionOf('ada') })).not.toThrow();
  sessionStore.set({ status: 'signed-out', reason: 'signed-out' });
});

it.each([
  ['repeats a request with the new token of the same person', 'ada', ['old', 'new']],
  ['does not repeat a request with the token of another person', 'grace', ['old']],
] as const)('%s', async (_, next, tokens) => {
  stubStorage();
  sessionStore.set({ status: 'signed-out', reason: 'signed-out' });
  sessionStore.set({ status: 'signed-in', session: sessionOf('ada', 'old') });
  const sent: string[] = [];
  const request = withAccessToken(async (token) => {
    sent.push(token);
    if (token === 'new') return 'done';
    sessionStore.set({ status: 'signed-out', reason: 'elsewhere' });
    sessionStore.set({ status: 'signed-in', session: sessionOf(next, 'new') });
    throw new ApiError({ status: 401, code: 'token_expired', detail: 'x' });
  });
  if (next === 'ada') expect(await request).toBe('done');
  else await expect(request).rejects.toMatchObject({ code: 'signed_out' });
  expect(sent).toEqual(tokens);
  sessionStore.set({ status: 'signed-out', reason: 'signed-out' });
});
