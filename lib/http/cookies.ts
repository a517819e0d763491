/** The names of the cookies that a header carries. */
export function listCookieNames(cookieHeader: string | null): string[] {
  return (cookieHeader ?? '').split(';').flatMap((pair) => pair.split('=')[0]?.trim() || []);
}

/**
 * The value of a cookie as the header carries it, not decoded; null when the header has no such cookie. Two of the name
 * with different values are none of ours: another host of the domain may have planted one, and which comes first is up to it.
 */
export function readCookie(cookieHeader: string | null, name: string): string | null {
  const values = (cookieHeader ?? '').split(';').flatMap((pair) => {
    const [key, ...value] = pair.split('=');
    return key?.trim() === name ? [value.join('=').trim()] : [];
  });
  const [first = null, ...others] = values;
  return others.every((other) => other === first) ? first : '';
}
