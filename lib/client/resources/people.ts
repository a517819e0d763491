import type { Identity, UpdateMeBody } from '@/lib/accounts/schema';
import type {
  CloseSessionsQuery,
  DeviceCodes,
  DeviceTokenBody,
  Me,
  RefreshBody,
  Session,
  SignedIn,
  StartDeviceBody,
  SwitchOrganizationBody,
} from '@/lib/auth/schema';
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { ErasurePreview } from '@/lib/lifecycle/schema';
import type { PageQuery } from '@/lib/platform/pagination';

/** The methods of `client.account`. */
export function account(api: Api) {
  const me = '/api/v1/auth/me';
  return {
    /** Gets the person of the access token and their organizations. */
    get: (options?: CallOptions): Promise<Me> => api.call('GET', me, {}, options),
    /** Changes the profile of the person. */
    update: (body: Body<typeof UpdateMeBody>, options?: CallOptions): Promise<Me> =>
      api.call('PATCH', me, { body }, options),
    /** Erases the account of the person, immediately and permanently. */
    erase: (options?: CallOptions): Promise<void> => api.run('DELETE', me, {}, options),
    /** Shows what erasing the account would do to each organization. */
    previewErasure: (options?: CallOptions): Promise<ErasurePreview> => api.call('GET', `${me}/erasure`, {}, options),
    /** Lists the linked accounts of identity providers. */
    listIdentities: (options?: CallOptions): Promise<{ data: Identity[] }> =>
      api.call('GET', '/api/v1/auth/identities', {}, options),
    /** Switches the session to another organization of the person. */
    switchOrganization: (body: Body<typeof SwitchOrganizationBody>, options?: CallOptions): Promise<SignedIn> =>
      api.call('POST', '/api/v1/auth/switch-organization', { body, needs: ['accessToken'] }, options),
  };
}

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

/** The methods of `client.device`. */
export function device(api: Api) {
  return {
    /** Starts a device sign-in (RFC 8628). */
    start: (body?: Body<typeof StartDeviceBody>, options?: CallOptions): Promise<DeviceCodes> =>
      api.call(
        'POST',
        '/api/v1/auth/device/code',
        { body, isAnonymous: true, needs: ['deviceCode', 'userCode', 'verificationUri'] },
        options,
      ),
    /** Exchanges an approved device code for tokens; rejects with `authorization_pending` until a person approves it. */
    exchange: (body: Body<typeof DeviceTokenBody>, options?: CallOptions): Promise<SignedIn> =>
      api.call('POST', '/api/v1/auth/device/token', { body, isAnonymous: true, needs: ['accessToken'] }, options),
  };
}

/** The methods of `client.sessions`. */
export function sessions(api: Api) {
  const all = '/api/v1/auth/sessions';
  return {
    /** Lists the open sessions of the person. */
    list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Session> =>
      api.list(all, { query }, options),
    /** Closes a session; its tokens stop working at once. */
    close: (sessionId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', `${all}/{sessionId}`, { ids: { sessionId } }, options),
    /** Closes every session of the person, or all except the current one. */
    closeAll: (query?: Query<typeof CloseSessionsQuery>, options?: CallOptions): Promise<void> =>
      api.run('DELETE', all, { query }, options),
  };
}
