/** Returns the system's code of a network fault, such as ECONNRESET; null in browsers, which hide it. */
export function faultCodeOf(fault: unknown): string | null {
  // The cause of fetch's error is the system's error.
  for (const each of [fault, (fault as { cause?: unknown } | null)?.cause]) {
    const code = (each as { code?: unknown } | null | undefined)?.code;
    if (typeof code === 'string' && /^[A-Z][A-Z_]{2,39}$/.test(code)) return code;
  }
  return null;
}
