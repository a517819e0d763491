import type { RefreshBody, SignedIn } from '@/lib/auth/schema';
import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';
import type { Body } from '@/lib/client/query';

/** The methods of `client.auth`. */
export function auth(api: Api) {
  return {
    /** Exchanges a refresh token for an access token and the next refresh token. */
    refresh: (body: Required<Body<typeof RefreshBody>>, options?: CallOptions): Promise<SignedIn> =>
      api.call(
        'POST',
        '/api/v1/auth/refresh',
        { body, isAnonymous: true, needs: ['accessToken', 'refreshToken'] },
        options,
      ),
    /** Ends the session of a refresh token. */
    logOut: (body: Required<Body<typeof RefreshBody>>, options?: CallOptions): Promise<void> =>
      api.run('POST', '/api/v1/auth/logout', { body, isAnonymous: true }, options),
  };
}
