import { hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { safeReturnPath } from '@/lib/auth/return-path-policy';
import { config } from '@/lib/platform/config/config';
import { FairSemaphore, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import type { Logger } from '@/lib/platform/log';
import {
  checkCookieNames,
  clearedCookies,
  cookieNameInSlot,
  excessSlots,
  newSlot,
  returnCookie,
} from './check-cookies';
import type { IdpClient } from './idp-client';
import { describeFault, discoverIssuer } from './idp-client';
import { callNextAuth } from './next-auth';
import { type Claims, nextAuthOptions, PROVIDER_ID } from './next-auth-options';
import { DEADLINE_MS } from './provider-agent';
import type { IdpCallbackQuery } from './schema';
import type { IdpFailure } from './types';

/**
 * Exchanges of codes at once, in all and of a network. What follows the response of the provider takes the thread for some milliseconds, and
 * those that it keeps waiting end together.
 */
const EXCHANGES: SemaphoreLimits = { width: 16, widthPerTenant: 4, waiting: 500, waitingPerTenant: 50 };
const Csrf = z.object({ csrfToken: z.string() });

/** Where to send the browser to sign in at the provider, with the cookies to set. */
interface IdpRedirect {
  location: string;
  cookies: string[];
}

/** The result of a provider sign-in: the issuer, and the claims of its checked ID token. */
interface IdpResult {
  issuer: string;
  claims: Claims;
}

/**
 * Begins a sign-in at the provider, with cookies of its own, so that another tab keeps its cookies.
 *
 * @param heldCookies names of the cookies that the browser has
 * @param log names the request in its lines
 * @returns null when the provider cannot be reached
 */
export function beginRoundTrip(
  client: IdpClient,
  returnTo: string | undefined,
  heldCookies: readonly string[],
  log: Logger,
): Promise<IdpRedirect | null> {
  return withinDeadline(log, async () => {
    const metadata = await discoverIssuer(client.issuer);
    const secret = currentSealingSecret();
    const options = nextAuthOptions({ client, metadata, secret, log, onClaims: () => undefined });
    const csrf = await callNextAuth({ method: 'GET', action: ['csrf'] }, options);
    const { location, cookies } = await callNextAuth(
      {
        method: 'POST',
        action: ['signin', PROVIDER_ID],
        body: Csrf.parse(csrf.body),
        cookies: Object.fromEntries(csrf.cookies.map(nameAndValue)),
      },
      options,
    );
    const names = checkCookieNames();
    const checks = cookies.filter((cookie) => names.includes(nameAndValue(cookie)[0]));
    const state = location === null ? null : new URL(location).searchParams.get('state');
    if (location === null || state === null || checks.length !== names.length) return null;
    const slot = newSlot(state);
    const own = checks.map((cookie) => cookie.replace(/^[^=]+/, (name) => cookieNameInSlot(name, slot)));
    const ended = clearedCookies(excessSlots(heldCookies));
    return { location, cookies: [...own, returnCookie(safeReturnPath(returnTo), slot), ...ended] };
  });
}

/**
 * Completes a sign-in at the provider: exchanges the code for an ID token and checks it against the browser's cookies
 * (state, nonce, PKCE) and the issuer (signature, issuer, audience, expiry).
 *
 * @param checks the values of the check cookies by name; empty for a browser that began no sign-in
 * @param network of the browser: networks take turns
 * @param log names the request in its lines
 */
export async function endRoundTrip(
  client: IdpClient,
  query: IdpCallbackQuery,
  checks: Readonly<Record<string, string>>,
  { network, log }: { network: string; log: Logger },
): Promise<IdpResult | IdpFailure> {
  const { error, ...response } = query;
  if (error !== undefined) return error === 'access_denied' ? 'idp_denied' : 'idp_failed';
  if (!Object.values(checks).every((value) => value.startsWith(SEALED))) return 'idp_failed';
  const [name = ''] = checkCookieNames();
  const secret = await findSealingSecret({ name, value: checks[name] ?? '' });
  if (secret === null) return 'idp_failed';
  const result = await inExchangeTurn(network, log, async () => {
    const metadata = await discoverIssuer(client.issuer);
    let claims: Claims | null = null;
    const onClaims = (checked: Claims) => {
      claims = checked;
    };
    const given = Object.entries(response).filter(([, value]) => value !== undefined);
    await callNextAuth(
      { method: 'GET', action: ['callback', PROVIDER_ID], query: Object.fromEntries(given), cookies: { ...checks } },
      nextAuthOptions({ client, metadata, secret, log, onClaims }),
    );
    return claims === null ? null : { issuer: metadata.issuer, claims };
  });
  return result ?? 'idp_failed';
}

async function inExchangeTurn<T>(network: string, log: Logger, work: () => Promise<T | null>): Promise<T | null> {
  const turns = once('idp-exchanges', () => new FairSemaphore(EXCHANGES));
  try {
    const release = await turns.acquire(network, AbortSignal.timeout(DEADLINE_MS));
    return await withinDeadline(log, work).finally(release);
  } catch (error) {
    log.warn({ fault: describeFault(error) }, 'too many sign-ins with the identity provider at once');
    return null;
  }
}

/** Returns null when `work` fails or takes too long: a fault of the provider must not become a 500. */
async function withinDeadline<T>(log: Logger, work: () => Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the provider did not respond in time')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    log.warn({ fault: describeFault(error) }, 'request to the identity provider failed');
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function nameAndValue(cookie: string): [name: string, value: string] {
  const [pair = ''] = cookie.split(';');
  const mark = pair.indexOf('=');
  return [pair.slice(0, mark), decodeURIComponent(pair.slice(mark + 1))];
}

/** Derives the secrets that seal next-auth's check cookies from the entries of AUTH_SECRET, in their order. */
function sealingSecrets(): string[] {
  return (config().AUTH_SECRET ?? []).map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'next-auth check cookies', 32)).toString('hex'),
  );
}

/** Returns the secret that seals. */
function currentSealingSecret(): string {
  const first = sealingSecrets()[0];
  if (first === undefined) throw new Error('AUTH_SECRET is not set');
  return first;
}

/** How each of our cookies begins: RFC 7516, section 7.1. With another algorithm, its sender would choose what opening it costs. */
const SEALED = `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')}.`;

/**
 * Finds the secret that sealed a cookie; null when none of ours did, or the cookie has expired. next-auth accepts one
 * secret only: without this, rotating AUTH_SECRET would break sign-ins in progress.
 */
async function findSealingSecret(cookie: { name: string; value: string }): Promise<string | null> {
  const { decode } = await import('next-auth/jwt');
  for (const secret of sealingSecrets()) {
    const opened = await decode({ token: cookie.value, secret, salt: cookie.name }).catch(() => null);
    if (opened !== null) return secret;
  }
  return null;
}
