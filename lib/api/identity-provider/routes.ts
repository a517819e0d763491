import * as z from 'zod';
import { anyone } from '@/lib/api/callers';
import { sessionCookies } from '@/lib/api/refresh-cookie';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { countSignIn } from '@/lib/auth/login';
import { safeReturnPath } from '@/lib/auth/return-path-policy';
import type { SignIn } from '@/lib/auth/sign-in';
import { type ApiResponse, ok, redirect } from '@/lib/http/api-response';
import { listCookieNames, readCookie } from '@/lib/http/cookies';
import type { ApiRequest } from '@/lib/http/request';
import { route } from '@/lib/http/route';
import {
  checkCookieNames,
  clearedCookies,
  cookieNameInSlot,
  findSlot,
  type RoundTripSlot,
  returnCookieName,
} from '@/lib/idp/check-cookies';
import { readClaims } from '@/lib/idp/claims';
import { findIdpClient, type IdpClient, listSignInProviders } from '@/lib/idp/idp-client';
import { beginRoundTrip, endRoundTrip } from '@/lib/idp/round-trip';
import { IdpCallbackQuery, SignInProvider, StartIdpQuery } from '@/lib/idp/schema';
import { signInWithIdp } from '@/lib/idp/sign-in-with-idp';
import type { IdpFailure } from '@/lib/idp/types';
import { systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { clientSite } from '@/lib/platform/net/client-network';

export const list = route({
  summary: 'List the identity providers that people can sign in with.',
  caller: anyone(),
  response: {
    status: 200,
    schema: z.object({
      data: z.array(SignInProvider).meta({ description: 'The providers, none when sign-in with one is not set up' }),
    }),
  },
  handler: async () => ok({ data: listSignInProviders() }),
});

export const start = route({
  summary: 'Redirect the browser to the identity provider to sign in; `returnTo` is the path to return to.',
  caller: anyone(),
  query: StartIdpQuery,
  errors: ['not_found'],
  response: { status: 302, setsCookies: true },
  handler: async ({ query, request }) => {
    const held = listCookieNames(request.header('cookie'));
    const idpRedirect = await beginRoundTrip(requireClient(), query.returnTo, held, logOf(request));
    if (idpRedirect === null) return backToLogin('idp_failed', safeReturnPath(query.returnTo), null);
    return redirect(idpRedirect.location, { cookies: idpRedirect.cookies });
  },
});

export const complete = route({
  summary: 'Complete a sign-in with the identity provider’s response, and return to the path it started from.',
  caller: anyone(),
  query: IdpCallbackQuery,
  errors: ['not_found'],
  response: { status: 302, setsCookies: true },
  handler: async ({ caller, query, request }) => {
    const client = requireClient();
    const slot = findSlot(listCookieNames(request.header('cookie')), query.state ?? '');
    const returnTo = readReturnPath(request, slot);
    const outcome = await completeRoundTrip(caller, client, query, { request, slot, returnTo });
    countSignIn('idp', typeof outcome === 'string' ? outcome : 'succeeded');
    if (typeof outcome === 'string') return backToLogin(outcome, returnTo, slot);
    return redirect(`${config().baseUrl}${returnTo}`, {
      cookies: [...sessionCookies(outcome.refresh), ...clearedCookies(slot === null ? [] : [slot])],
    });
  },
});

/** The browser always gets a page, never a bare 500; the log has the error. */
async function completeRoundTrip(
  caller: AnonymousCaller,
  client: IdpClient,
  query: IdpCallbackQuery,
  { request, slot, returnTo }: { request: ApiRequest; slot: RoundTripSlot | null; returnTo: string },
): Promise<SignIn | IdpFailure> {
  try {
    const result = await endRoundTrip(client, query, readChecks(request, slot), {
      network: clientSite(request.client.ipAddress ?? ''),
      log: logOf(request),
    });
    if (typeof result === 'string') return result;
    const person = readClaims(result.issuer, result.claims);
    return person === null ? 'idp_failed' : await signInWithIdp(caller, { person, returnTo }, systemClock);
  } catch (error) {
    logOf(request).error({ err: error }, 'sign-in with the provider failed');
    return 'idp_failed';
  }
}

const logOf = ({ requestId }: ApiRequest) => log().child({ requestId });

function requireClient(): IdpClient {
  const client = findIdpClient();
  if (client === null) throw new AppError('not_found', 'There is nothing at this path.');
  return client;
}

function backToLogin(error: IdpFailure, returnTo: string, slot: RoundTripSlot | null): ApiResponse<undefined> {
  const query = new URLSearchParams({ error, ...(returnTo === '/' ? {} : { returnTo }) });
  return redirect(`${config().baseUrl}/login?${query}`, { cookies: clearedCookies(slot === null ? [] : [slot]) });
}

function readChecks(request: ApiRequest, slot: RoundTripSlot | null): Record<string, string> {
  if (slot === null) return {};
  const header = request.header('cookie');
  const held = checkCookieNames().map((name) => [name, readCookie(header, cookieNameInSlot(name, slot))] as const);
  return Object.fromEntries(held.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])));
}

/** Checks the path again: the browser could have changed it. */
function readReturnPath(request: ApiRequest, slot: RoundTripSlot | null): string {
  const value = slot === null ? null : readCookie(request.header('cookie'), returnCookieName(slot));
  try {
    return safeReturnPath(value === null ? null : decodeURIComponent(value));
  } catch {
    return '/';
  }
}
