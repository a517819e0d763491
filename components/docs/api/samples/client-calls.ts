import type { ClientCall } from './sample-request';

/** A request that a method of the client makes. */
interface Parts {
  ids?: Record<string, unknown>;
  body?: unknown;
}

/** What a method of the client sends its request with. */
export interface RecordingApi {
  call(verb: string, path: string, parts?: Parts): undefined;
  run(verb: string, path: string, parts?: Parts): undefined;
  list(path: string, parts?: Parts): undefined;
  download(path: string, parts?: Parts): undefined;
}

type Methods = Record<string, Record<string, (...given: string[]) => unknown>>;

/** More than any method has. */
const ARGUMENTS = Array.from({ length: 8 }, (_, index) => `argument ${index}`);

/**
 * Returns the methods of the TypeScript client by the operation they call, such as `apiKeys.create`. Calls each one to see
 * what it sends, so that examples cannot differ from the client.
 * @param createResources makes the resources of the client over an API
 */
export function clientCallsOf(createResources: (api: RecordingApi) => object): Record<string, ClientCall> {
  const calls: Record<string, ClientCall> = {};
  let operation = { resource: '', method: '' };
  const note =
    (kind: ClientCall['kind']) =>
    ({ ids = {}, body }: Parts = {}) => {
      const { resource, method } = operation;
      calls[`${resource}.${method}`] = { ...operation, kind, ids: Object.keys(ids), takesBody: body !== undefined };
      return undefined;
    };
  const resources = createResources({
    call: (_verb, _path, parts) => note('call')(parts),
    run: (_verb, _path, parts) => note('run')(parts),
    list: (_path, parts) => note('list')(parts),
    download: (_path, parts) => note('download')(parts),
  }) as Methods;
  for (const [resource, methods] of Object.entries(resources)) {
    for (const [method, send] of Object.entries(methods)) {
      operation = { resource, method };
      send(...ARGUMENTS);
    }
  }
  return calls;
}
