import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';
import type { OrganizationRetention } from '@/lib/retention/schema';

/** The methods of `client.retention`. */
export function retention(api: Api) {
  return {
    /** Gets how long the data of an organization is kept, and how much there is. */
    get: (orgId: string, options?: CallOptions): Promise<OrganizationRetention> =>
      api.call('GET', '/api/v1/orgs/{orgId}/retention', { ids: { orgId } }, options),
  };
}
