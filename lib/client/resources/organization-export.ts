import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';

/** The methods of `client.organizationExport`. */
export function organizationExport(api: Api) {
  return {
    /** Exports an organization as one JSON document, as a stream. */
    download: (orgId: string, options?: CallOptions): Promise<Response> =>
      api.download('/api/v1/orgs/{orgId}/export', { ids: { orgId } }, options),
  };
}
