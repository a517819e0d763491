import type { AnyOptions, Api, RequestParts } from '@/lib/client/api';
import { ListRequest } from '@/lib/client/list-request';

/**
 * Returns an API whose calls end with a signal and know the project of the command, so that commands need not pass them on.
 * @param projectId called when a path needs a project and the call names none
 */
export function bindApi(api: Api, signal: AbortSignal | undefined, projectId: () => Promise<string>): Api {
  const complete = async (path: string, parts: RequestParts<string> = {}, options: AnyOptions = {}) => {
    const needsProject = path.includes('{projectId}') && (parts.ids?.projectId ?? options.projectId) === undefined;
    return { signal, ...options, ...(needsProject && { projectId: await projectId() }) };
  };
  return {
    call: async (verb, path, parts, options) => await api.call(verb, path, parts, await complete(path, parts, options)),
    run: async (verb, path, parts, options) => await api.run(verb, path, parts, await complete(path, parts, options)),
    download: async (path, parts, options) => await api.download(path, parts, await complete(path, parts, options)),
    list: (path, parts, options) =>
      new ListRequest(async (cursor) => {
        const query = { ...parts?.query, ...(cursor !== undefined && { cursor }) };
        return await api.list(path, { ...parts, query } as typeof parts, await complete(path, parts, options));
      }),
  };
}
