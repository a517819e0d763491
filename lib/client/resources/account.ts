import type { Identity, UpdateMeBody } from '@/lib/accounts/schema';
import type { Me, SignedIn, SwitchOrganizationBody } from '@/lib/auth/schema';
import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';
import type { Body } from '@/lib/client/query';
import type { ErasurePreview } from '@/lib/lifecycle/schema';

const ME = '/api/v1/auth/me';

/** The methods of `client.account`. */
export function account(api: Api) {
  return {
    /** Gets the person of the access token and their organizations. */
    get: (options?: CallOptions): Promise<Me> => api.call('GET', ME, {}, options),
    /** Changes the profile of the person. */
    update: (body: Body<typeof UpdateMeBody>, options?: CallOptions): Promise<Me> =>
      api.call('PATCH', ME, { body }, options),
    /** Erases the account of the person, immediately and permanently. */
    erase: (options?: CallOptions): Promise<void> => api.run('DELETE', ME, {}, options),
    /** Shows what erasing the account would do to each organization. */
    previewErasure: (options?: CallOptions): Promise<ErasurePreview> => api.call('GET', `${ME}/erasure`, {}, options),
    /** Lists the linked accounts of identity providers. */
    listIdentities: (options?: CallOptions): Promise<{ data: Identity[] }> =>
      api.call('GET', '/api/v1/auth/identities', {}, options),
    /** Switches the session to another organization of the person. */
    switchOrganization: (body: Body<typeof SwitchOrganizationBody>, options?: CallOptions): Promise<SignedIn> =>
      api.call('POST', '/api/v1/auth/switch-organization', { body, needs: ['accessToken'] }, options),
  };
}
