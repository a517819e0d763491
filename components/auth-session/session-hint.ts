const STORAGE_KEY = 'eds-has-session';

/**
 * Whether this browser may have a session. Pages that are also for people without one ask this first: only a request can
 * tell, since scripts cannot read the refresh cookie, and browsers log each refused request as an error.
 */
export function mayHaveSession(): boolean {
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
