/** A method of the TypeScript client. */
export interface ClientCall {
  /** Such as `apiKeys`. */
  resource: string;
  /** Such as `create`. */
  method: string;
  kind: 'call' | 'run' | 'list' | 'download';
  /** The ids that it takes as arguments. Those that it lacks come from the options of the client. */
  ids: readonly string[];
  takesBody: boolean;
}

/** What a method sends beside verb and path. */
interface Parts {
  ids?: Record<string, unknown>;
  body?: unknown;
}

type Methods = Record<string, Record<string, (...given: string[]) => unknown>>;

/** More than any method has. */
const ARGUMENTS = Array.from({ length: 8 }, (_, index) => `argument ${index}`);

/**
 * Returns the methods of the TypeScript client by the operation they call, such as `apiKeys.create`. Calls each one to see
 * what it sends, so that examples cannot differ from the client.
 * @param createResources makes the resources of the client over an API
 */
export function clientCallsOf(createResources: (api: never) => object): Record<string, ClientCall> {
  const calls: Record<string, ClientCall> = {};
  let operation = { resource: '', method: '' };
  const note = (kind: ClientCall['kind'], { ids = {}, body }: Parts = {}) => {
    const { resource, method } = operation;
    calls[`${resource}.${method}`] = { ...operation, kind, ids: Object.keys(ids), takesBody: body !== undefined };
  };
  const api = {
    call: (_verb: string, _path: string, parts?: Parts) => note('call', parts),
    run: (_verb: string, _path: string, parts?: Parts) => note('run', parts),
    list: (_path: string, parts?: Parts) => note('list', parts),
    download: (_path: string, parts?: Parts) => note('download', parts),
  };
  for (const [resource, methods] of Object.entries(createResources(api as never) as Methods)) {
    for (const [method, send] of Object.entries(methods)) {
      operation = { resource, method };
      send(...ARGUMENTS);
    }
  }
  return calls;
}
