const STORAGE_KEY = 'eds-single-keys';

/** Whether single-key shortcuts are on. They are on until turned off in this browser. */
export function readSingleKeys(): boolean {
  try {
    return window.localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

export function writeSingleKeys(on: boolean): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off');
  } catch {
    // Without storage they stay on.
  }
}
