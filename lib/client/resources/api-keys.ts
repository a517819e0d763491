import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions, ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { ApiKey, CreateKeyBody, NewApiKey, OwnKey, RotateKeyBody } from '@/lib/keys/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/api-keys';
const ONE = `${ALL}/{apiKeyId}` as const;

/** The methods of `client.apiKeys`. */
export function apiKeys(api: Api) {
  return {
    /** Gets the API key of the client, with its project. */
    getOwn: (options?: CallOptions): Promise<OwnKey> => api.call('GET', '/api/v1/key', {}, options),
    /** Lists the API keys of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<ApiKey> =>
      api.list(ALL, { query }, options),
    /** Creates an API key. Only this response contains the key. */
    create: (body: Body<typeof CreateKeyBody>, options?: ProjectOptions): Promise<NewApiKey> =>
      api.call('POST', ALL, { body, needs: ['id', 'key'] }, options),
    /** Gets an API key, without the key itself. */
    get: (apiKeyId: string, options?: ProjectOptions): Promise<ApiKey> =>
      api.call('GET', ONE, { ids: { apiKeyId } }, options),
    /** Revokes an API key; it stops working at once. */
    revoke: (apiKeyId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { apiKeyId } }, options),
    /** Replaces an API key; the old one works for a grace period. Only this response contains the new key. */
    rotate: (apiKeyId: string, body?: Body<typeof RotateKeyBody>, options?: ProjectOptions): Promise<NewApiKey> =>
      api.call('POST', `${ONE}/rotate`, { ids: { apiKeyId }, body, needs: ['id', 'key'] }, options),
  };
}
