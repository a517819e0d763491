const STORAGE_KEY = 'eds-last-project';

/** Returns the last opened project of this browser; null without one, or without storage. */
export function readLastProject(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Forgets the last opened project, so that the home page uses the current organization. */
export function forgetLastProject(): void {
  try {
    window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage there is nothing to forget.
  }
}

export function rememberLastProject(projectId: string): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, projectId);
  } catch {
    // Without storage the home page opens the first project.
  }
}
