/** Returns the system's code of a network fault, such as ECONNRESET; null in browsers, which do not tell. */
export function faultCodeOf(fault: unknown): string | null {
  // The error of fetch has the one of the system as its cause.
  for (const each of [fault, (fault as { cause?: unknown } | null)?.cause]) {
    const code = (each as { code?: unknown } | null | undefined)?.code;
    if (typeof code === 'string' && /^[A-Z][A-Z_]{2,39}$/.test(code)) return code;
  }
  return null;
}
