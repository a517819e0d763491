let carried = '';

/**
 * The address that was typed on one page of signing in, for the next one. Kept in memory: in the URL it would reach
 * histories and logs.
 */
export function prefilledEmail(): string {
  return carried;
}

/** Takes a typed address along to the next page; the empty one forgets it. */
export function prefillEmail(email: string): void {
  carried = email.trim();
}
