import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  CreateSourceBody,
  RotateSourceSecretBody,
  RotateSourceUrlBody,
  Source,
  SourceSecret,
  UpdateSourceBody,
} from '@/lib/incoming/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/sources';
const ONE = `${ALL}/{sourceId}` as const;

/** The methods of `client.sources`. */
export function sources(api: Api) {
  return {
    /** Lists the sources of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Source> =>
      api.list(ALL, { query }, options),
    /** Creates a source, with the URL that its provider posts to. */
    create: (body: Body<typeof CreateSourceBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('POST', ALL, { body }, options),
    /** Gets a source. */
    get: (sourceId: string, options?: ProjectOptions): Promise<Source> =>
      api.call('GET', ONE, { ids: { sourceId } }, options),
    /** Changes a source. */
    update: (sourceId: string, body: Body<typeof UpdateSourceBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('PATCH', ONE, { ids: { sourceId }, body }, options),
    /** Deletes a source and its destinations; its URL stops working at once. */
    remove: (sourceId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { sourceId } }, options),
    /** Reveals the secret that the requests of a source are signed with. */
    getSecret: (sourceId: string, options?: ProjectOptions): Promise<SourceSecret> =>
      api.call('GET', `${ONE}/secret`, { ids: { sourceId } }, options),
    /** Replaces the secret of a source; the old one stays valid for 24 hours. */
    rotateSecret: (
      sourceId: string,
      body?: Body<typeof RotateSourceSecretBody>,
      options?: ProjectOptions,
    ): Promise<SourceSecret> => api.call('POST', `${ONE}/rotate-secret`, { ids: { sourceId }, body }, options),
    /** Gives a source a new URL; the old one works for a grace period. */
    rotateUrl: (sourceId: string, body?: Body<typeof RotateSourceUrlBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('POST', `${ONE}/rotate-url`, { ids: { sourceId }, body }, options),
  };
}
