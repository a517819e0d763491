/** Returns what this browser keeps under a key; null without it, or without storage. */
export function readStored(key: string, storage: 'localStorage' | 'sessionStorage' = 'localStorage'): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value in this browser, or forgets it with null. Without storage, it lasts no longer than the page. */
export function writeStored(
  key: string,
  value: string | null,
  storage: 'localStorage' | 'sessionStorage' = 'localStorage',
): void {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    // A page that needs the value asks the person or the server again.
  }
}
