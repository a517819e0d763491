const BASE = 'http://same.origin';
/** Longer paths would not fit with the other cookies of a provider sign-in. */
const MAX_LENGTH = 1024;
/** Browsers drop or convert these characters, so that a path becomes `//host`, another origin. */
const UNSAFE_CHARACTERS = /[\\\p{Cc}\s]/u;

/** Prefixes without pages of ours. What is below /t is of tunnels: others decide what it answers. */
const NO_PAGES = /^\/(?:api|t|downloads)(?:\/|$)/;

/**
 * Returns where a sign-in may lead: `value` when it is the path of a page of this origin, else `/`. Paths under /api/
 * are not pages, and the start of a sign-in among them would loop.
 */
export function safeReturnPath(value: string | null | undefined): string {
  if (value === null || value === undefined || value.length > MAX_LENGTH) return '/';
  // What follows two slashes is a host.
  if (!/^\/(?!\/)/.test(value) || UNSAFE_CHARACTERS.test(value) || !URL.canParse(value, BASE)) return '/';
  const url = new URL(value, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return '/';
  if (NO_PAGES.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
