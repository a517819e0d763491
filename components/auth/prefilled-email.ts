let prefilled = '';

/**
 * Returns the address that was typed on another auth page. It is kept in memory: in the URL it would reach browser
 * histories and logs.
 */
export function prefilledEmail(): string {
  return prefilled;
}

/** Keeps a typed address for the next auth page. An empty string removes it. */
export function prefillEmail(email: string): void {
  prefilled = email.trim();
}
