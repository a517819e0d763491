import { fetchChecked } from './check-response';
import type { TestProvider } from './provider';

/** A response, without following redirects. */
export interface VisitorResponse {
  status: number;
  /** The absolute redirect URL; null without one. */
  location: string | null;
  headers: Headers;
  cookies: string[];
  text: string;
}

/** An HTTP client that keeps cookies per host, does not follow redirects, and checks the responses of the API. */
export class Visitor {
  readonly #jars = new Map<string, Map<string, string>>();

  /** The cookies held for a host, by name. */
  cookiesOf(url: string): Map<string, string> {
    const { hostname } = new URL(url);
    const jar = this.#jars.get(hostname) ?? new Map<string, string>();
    this.#jars.set(hostname, jar);
    return jar;
  }

  async go(url: string, form?: Record<string, string>): Promise<VisitorResponse> {
    const jar = this.cookiesOf(url);
    const response = await fetchChecked(url, {
      redirect: 'manual',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    const cookies = response.headers.getSetCookie();
    for (const cookie of cookies) keep(jar, cookie);
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      headers: response.headers,
      cookies,
      text: await response.text(),
    };
  }
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8);
  const isGone =
    attributes.some((attribute) => /^max-age=0$/i.test(attribute)) || Date.parse(expires ?? '') < Date.now();
  if (isGone) jar.delete(name);
  else jar.set(name, value.join('='));
}

/**
 * Signs in at the provider, starting at the URL of its redirect. An empty `sub` cancels.
 * @returns the callback URL that the provider redirects to, not yet visited
 */
export async function signInAtProvider(
  visitor: Visitor,
  provider: TestProvider,
  start: string | null,
  sub: string,
): Promise<string> {
  let at = start;
  for (let step = 0; step < 8 && at?.startsWith(provider.issuer); step++) {
    const isQuestion = at.includes('/interaction/');
    at = (await visitor.go(at, isQuestion ? { sub } : undefined)).location;
  }
  return at ?? '';
}
