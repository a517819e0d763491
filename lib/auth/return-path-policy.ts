const BASE = 'http://same.origin';
/** Longer ones would not fit beside the other cookies of a round trip to the provider. */
const MAX_LENGTH = 1024;
/** Browsers drop or turn these round, so that a path becomes `//host`, another origin in disguise. */
const TREACHEROUS = /[\\\p{Cc}\s]/u;

/**
 * Where a sign-in may lead: `value` when it is the path of a page of this origin, else `/`. An address under /api/ is no
 * page, and the start of a sign-in among them would go round for ever.
 */
export function safeReturnPath(value: string | null | undefined): string {
  if (value === null || value === undefined || value.length > MAX_LENGTH) return '/';
  if (!value.startsWith('/') || TREACHEROUS.test(value) || !URL.canParse(value, BASE)) return '/';
  const url = new URL(value, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return '/';
  if (url.pathname === '/api' || url.pathname.startsWith('/api/')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
