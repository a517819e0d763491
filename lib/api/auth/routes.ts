import { anyone, readCredentials } from '@/lib/api/callers';
import { clearedSessionCookies, readRefreshCookie, sessionCookies } from '@/lib/api/refresh-cookie';
import { anyoneFromSameOrigin } from '@/lib/api/same-origin';
import { login, register as registerPerson } from '@/lib/auth/login';
import { logout, refresh as refreshSession, restore as restoreSession } from '@/lib/auth/refresh';
import { LoginBody, RefreshBody, RegisterBody, RestoredSession, SignedIn } from '@/lib/auth/schema';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';
import { AppError, isAppError } from '@/lib/platform/errors';

export const register = route({
  summary: 'Create an account with its own organization, and sign in.',
  caller: anyone(),
  body: RegisterBody,
  errors: ['email_taken', 'registration_closed', 'rate_limited'],
  response: { status: 201, schema: SignedIn, sensitive: true, setsCookies: true },
  handler: async ({ caller, body }) => {
    const { response, refresh: next } = await registerPerson(caller, body, systemClock);
    return created(response, { cookies: sessionCookies(next) });
  },
});

export const logIn = route({
  summary: 'Sign in with an email address and password.',
  caller: anyone(),
  body: LoginBody,
  errors: ['invalid_credentials', 'password_unconfirmed', 'account_locked', 'rate_limited'],
  response: { status: 200, schema: SignedIn, sensitive: true, setsCookies: true },
  handler: async ({ caller, body }) => {
    const { response, refresh: next } = await login(caller, body, systemClock);
    return ok(response, { cookies: sessionCookies(next) });
  },
});

export const refresh = route({
  summary: 'Exchange a refresh token, from the cookie or else the body, for new tokens.',
  caller: anyoneFromSameOrigin(),
  body: RefreshBody,
  bodyOptional: true,
  errors: ['unauthenticated', 'invalid_refresh_token', 'refresh_superseded', 'cross_site_request', 'rate_limited'],
  response: { status: 200, schema: SignedIn, sensitive: true, setsCookies: true },
  handler: async ({ caller, body, request }) => {
    const cookie = readRefreshCookie(request.header('cookie'));
    try {
      const { response, refresh: next } = await refreshSession(caller, cookie ?? body.refreshToken ?? '', systemClock);
      const shown = cookie === null ? { ...response, refreshToken: next.token } : response;
      return ok(shown, { cookies: sessionCookies(next) });
    } catch (error) {
      throw cookie === null ? error : withDeadCookieCleared(error);
    }
  },
});

export const restore = route({
  summary: 'Restore a browser’s session from its cookie, or get the reason why there is none.',
  caller: anyoneFromSameOrigin(),
  errors: ['refresh_superseded', 'cross_site_request', 'rate_limited'],
  response: { status: 200, schema: RestoredSession, sensitive: true, setsCookies: true },
  handler: async ({ caller, request }) => {
    const cookie = readRefreshCookie(request.header('cookie'));
    const { response, refresh: next } = await restoreSession(caller, cookie, systemClock);
    return ok(response, { cookies: next === null ? clearedSessionCookies() : sessionCookies(next) });
  },
});

export const logOut = route({
  summary: 'Sign out: end the session of the access token, the refresh token, or both.',
  caller: anyoneFromSameOrigin(),
  body: RefreshBody,
  bodyOptional: true,
  errors: ['cross_site_request', 'ambiguous_credentials'],
  response: { status: 204, setsCookies: true },
  handler: async ({ caller, body, request }) => {
    const { bearer } = readCredentials(request);
    const refreshToken = readRefreshCookie(request.header('cookie')) ?? body.refreshToken ?? null;
    await logout(caller, { bearer, refreshToken }, systemClock);
    return noContent({ cookies: clearedSessionCookies() });
  },
});

/** A superseded token keeps the cookie: the browser already holds the one of the request that won. */
function withDeadCookieCleared(error: unknown): unknown {
  if (!isAppError(error) || error.code !== 'invalid_refresh_token') return error;
  return new AppError(error.code, error.message, { ...error.options, cookies: clearedSessionCookies() });
}
