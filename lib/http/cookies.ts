/** The value of a cookie as the header carries it, not decoded; null when the header has no such cookie. */
export function readCookie(cookieHeader: string | null, name: string): string | null {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return null;
}
