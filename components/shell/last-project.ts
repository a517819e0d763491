const STORAGE_KEY = 'eds-last-project';

/** The project this browser showed last. Null when there is none, or when storage is denied. */
export function readLastProject(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Another organization is gone to: its own projects come first from now on. */
export function forgetLastProject(): void {
  try {
    window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Denied storage holds nothing to forget.
  }
}

export function rememberLastProject(projectId: string): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, projectId);
  } catch {
    // Denied storage costs the comfort only.
  }
}
