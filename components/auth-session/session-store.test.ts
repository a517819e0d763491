import { expect, it } from 'vitest';
import { SessionStore, toSession } from './session-store';
import type { Session } from './types';

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
