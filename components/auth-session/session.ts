import { hasUnsaved } from '@/components/form/unsaved';
import { readStored, writeStored } from '@/components/ui/stored';
import { toast } from '@/components/ui/toast';
import type { RestoredSession, SignedIn } from '@/lib/auth/schema';
import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import { createRefresh } from './refresh-coordinator';
import { type Channel, createChannelLock, createWebLock, type Locks, type RunExclusive } from './refresh-lock';
import { sendRequest } from './request';
import { type EndReason, type Session, SessionStore, type SignOutReason, toSession } from './session-store';

/** A message between tabs. */
type TabMessage = { kind: 'session'; session: Session } | { kind: 'signed-out'; reason: EndReason | SignOutReason };

/** The session of this tab, shared with the other tabs of this browser. */
export const sessionStore = new SessionStore(hasUnsaved);

sessionStore.subscribe(() => {
  const { status } = sessionStore.getState();
  if (status === 'signed-in' || status === 'signed-out')
    writeStored(HAS_SESSION, status === 'signed-in' ? 'yes' : null);
});

/** Created on first use, since the server also evaluates this module and has no BroadcastChannel. */
let tabs: BroadcastChannel | null = null;
function tabChannel(): BroadcastChannel {
  tabs ??= new BroadcastChannel('eds-session');
  return tabs;
}

function notifyTabs(message: TabMessage): void {
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

/** Refreshes the session, once for all callers and tabs. Null when signed out. @throws ApiError when the server fails */
export const refreshSession = createRefresh({
  store: sessionStore,
  runExclusive,
  requestRefresh: async () =>
    (await sendRequest('/auth/restore', { method: 'POST', keepalive: true })) as RestoredSession,
  share: (session) => notifyTabs({ kind: 'session', session }),
  shareEnd: (reason) => notifyTabs({ kind: 'signed-out', reason }),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  nowMs: () => Date.now(),
});

/**
 * Signs in with `request` (login, register). Waits for refreshes and sign-outs of all tabs, since a refresh that ends later
 * would restore the cookie of the previous session.
 */
export function signIn(request: () => Promise<unknown>): Promise<void> {
  return runExclusive(async () => acceptSession((await request()) as SignedIn));
}

/** Uses the response of a sign-in or a switch of organization as the session of this browser. */
export function acceptSession(signedIn: SignedIn): void {
  const session = toSession(signedIn, Date.now());
  sessionStore.set({ status: 'signed-in', session });
  notifyTabs({ kind: 'session', session });
}

/**
 * Signs out in every tab. Waits for refreshes, since one in progress would sign the tabs in again. When the request fails, the tabs stay
 * signed in: the cookie, which only the server can remove, would sign them in again.
 * @throws ApiError when the request fails
 */
export function signOut(): Promise<void> {
  return runExclusive(async () => {
    const token = sessionStore.session?.accessToken;
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    await sendRequest('/auth/logout', { method: 'POST', headers, keepalive: true });
    clearSession('signed-out');
  });
}

/** Clears the session in every tab after the server has closed it. */
export function clearSession(reason: SignOutReason): void {
  sessionStore.set({ status: 'signed-out', reason });
  notifyTabs({ kind: 'signed-out', reason });
}

/** Applies the session changes of other tabs. Returns a function that stops it. */
export function followOtherTabs(): () => void {
  const channel = tabChannel();
  const hear = (event: MessageEvent<TabMessage>) => {
    if (event.data.kind === 'session') sessionStore.set({ status: 'signed-in', session: event.data.session });
    if (event.data.kind === 'signed-out') {
      const { reason } = event.data;
      sessionStore.set({ status: 'signed-out', reason: reason === 'signed-out' ? 'elsewhere' : reason });
    }
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

const HAS_SESSION = 'eds-has-session';

/**
 * Whether this browser may have a session. Pages that are also for people without one ask this first, since only a request
 * can tell.
 */
export function mayHaveSession(): boolean {
  const hasCookie = document.cookie.split('; ').some((pair) => pair.startsWith(`${PRESENCE_COOKIE}=`));
  return hasCookie || readStored(HAS_SESSION) !== null;
}

/** Signs out in every tab, and says so when the server did not confirm it. */
export async function leave(): Promise<void> {
  await signOut().catch(() =>
    toast.error('You’re still signed in. The server didn’t confirm the sign-out. Try again.'),
  );
}
