/** Returns the names of the cookies in a header. */
export function listCookieNames(cookieHeader: string | null): string[] {
  return (cookieHeader ?? '').split(';').flatMap((pair) => pair.split('=')[0]?.trim() || []);
}

/**
 * Returns the value of a cookie, not decoded; null when it is missing. Two cookies with the name and different values give
 * an empty text: another host of the domain may have planted one, and that host controls which comes first.
 */
export function readCookie(cookieHeader: string | null, name: string): string | null {
  const values = (cookieHeader ?? '').split(';').flatMap((pair) => {
    const [key, ...value] = pair.split('=');
    return key?.trim() === name ? [value.join('=').trim()] : [];
  });
  const [first = null, ...others] = values;
  return others.every((other) => other === first) ? first : '';
}
