import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';

const STORAGE_KEY = 'eds-has-session';

/**
 * Whether this browser may have a session. Pages that are also for people without one ask this first, since only a request
 * can tell.
 */
export function mayHaveSession(): boolean {
  if (document.cookie.split('; ').some((pair) => pair.startsWith(`${PRESENCE_COOKIE}=`))) return true;
  try {
    return window.localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

/** Remembers whether this browser may have a session. */
export function writeSessionHint(hasSession: boolean): void {
  try {
    if (hasSession) window.localStorage.setItem(STORAGE_KEY, 'yes');
    else window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, such pages show what everybody sees.
  }
}
