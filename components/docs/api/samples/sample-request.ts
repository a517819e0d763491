/** What the examples of an operation are made from. */
export interface SampleRequest {
  method: string;
  /** With the names of ids in braces. */
  path: string;
  /** The credential that examples send: the key, where a person could call too. */
  credential: 'key' | 'person' | 'operator' | null;
  /** The query parameters without which the request is refused. */
  query: Record<string, string>;
  /** Headers worth sending, beside credential and content type. */
  headers: Record<string, string>;
  /** The JSON value that is sent; undefined without one. */
  body?: unknown;
  /** Sends bytes that need not be JSON. */
  isRaw: boolean;
  responds: 'json' | 'text' | 'file' | 'nothing' | 'redirect' | 'socket';
  /** The method of the TypeScript client; null when it has none. */
  client: ClientCall | null;
}

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

/** What the reader's own values replace in examples. */
export interface SampleValues {
  baseUrl: string;
  /** By the name of the parameter. */
  ids: Readonly<Record<string, string | undefined>>;
}

/** Returns the reader's id, or a name in capitals to replace: "apiKeyId" → "API_KEY_ID". */
export function idOf(name: string, { ids }: SampleValues): string {
  return ids[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Returns the URL of a request, with its ids filled in. */
export function urlOf({ path, query }: SampleRequest, values: SampleValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(idOf(name, values)));
  const parameters = new URLSearchParams(query).toString();
  return values.baseUrl + filled + (parameters === '' ? '' : `?${parameters}`);
}

/** Returns the body with the ids in it filled in; undefined without one. */
export function bodyOf({ body }: SampleRequest, values: SampleValues): unknown {
  return fillIds(body, values);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function fillIds(value: unknown, values: SampleValues): unknown {
  if (Array.isArray(value)) return value.map((each) => fillIds(each, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && UUID.test(each) ? idOf(name, values) : fillIds(each, values),
    ]),
  );
}
