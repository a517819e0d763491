import type { SignedIn } from '@/lib/auth/schema';
import { createRefresh } from './refresh-coordinator';
import { type Channel, createChannelLock, createWebLock, type Locks, type RunExclusive } from './refresh-lock';
import { sendRequest } from './request';
import { SessionStore, toSession } from './session-store';
import type { Session, SignOutReason } from './types';

/** What tabs tell each other. */
type TabMessage = { kind: 'session'; session: Session } | { kind: 'signed-out'; reason: SignOutReason };

/** The session of this tab, shared with the other tabs of this browser. */
export const sessionStore = new SessionStore();

/** Made on first use: modules are also evaluated on the server, which has no channel and no session. */
let tabs: BroadcastChannel | null = null;
function tabChannel(): BroadcastChannel {
  tabs ??= new BroadcastChannel('eds-session');
  return tabs;
}

function tellTabs(message: TabMessage): void {
  tabChannel().postMessage(message);
}

let exclusive: RunExclusive | null = null;
const runExclusive: RunExclusive = (run) => {
  const locks = navigator.locks as Locks | undefined;
  exclusive ??=
    locks === undefined
      ? createChannelLock(new BroadcastChannel('eds-refresh') as unknown as Channel)
      : createWebLock(locks);
  return exclusive(run);
};

/** Renews the session, once for all callers and tabs. Null: signed out. @throws ApiError when the server cannot say */
export const refreshSession = createRefresh({
  store: sessionStore,
  runExclusive,
  requestRefresh: async () => (await sendRequest('/auth/refresh', { method: 'POST', keepalive: true })) as SignedIn,
  share: (session) => tellTabs({ kind: 'session', session }),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  nowMs: () => Date.now(),
});

/**
 * Signs in by `request` (login, register), in turn with the refreshes and sign-outs of all tabs: a refresh answered after
 * it would put the cookie of the session before back in place.
 */
export function signIn(request: () => Promise<unknown>): Promise<void> {
  return runExclusive(async () => acceptSession((await request()) as SignedIn));
}

/** Takes the answer of a sign-in or a switch of organization as this browser's session. */
export function acceptSession(answer: SignedIn): void {
  const session = toSession(answer, Date.now());
  sessionStore.set({ status: 'signed-in', session });
  tellTabs({ kind: 'session', session });
}

/**
 * Signs out in every tab, in turn with their refreshes: one that is under way would sign them in again. The tabs are
 * cleared even when the server does not answer; then its error is thrown.
 */
export function signOut(): Promise<void> {
  return runExclusive(async () => {
    const token = sessionStore.session?.accessToken;
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    try {
      await sendRequest('/auth/logout', { method: 'POST', headers, keepalive: true });
    } finally {
      clearSession('signed-out');
    }
  });
}

/** Forgets the session in every tab, once the server has closed it: by a sign-out, or by what was asked of it. */
export function clearSession(reason: SignOutReason): void {
  sessionStore.set({ status: 'signed-out', reason });
  tellTabs({ kind: 'signed-out', reason });
}

/** Follows what other tabs do. Returns the function that stops it. */
export function followOtherTabs(): () => void {
  const channel = tabChannel();
  const hear = (event: MessageEvent<TabMessage>) => {
    if (event.data.kind === 'session') sessionStore.set({ status: 'signed-in', session: event.data.session });
    if (event.data.kind === 'signed-out') sessionStore.set({ status: 'signed-out', reason: event.data.reason });
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}
