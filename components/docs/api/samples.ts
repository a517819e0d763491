import type { CodeSample } from '@/components/ui/code-tabs';
import { shellQuote } from '@/components/ui/shell-quote';
import type { ClientCall } from './client-calls';

/** What the examples of an operation are made from. */
export interface SampleRequest {
  method: string;
  /** With the names of ids in braces. */
  path: string;
  /** The credential that examples send: the key, where a person could call too. */
  credential: 'key' | 'person' | 'portal' | 'operator' | null;
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

/** What the reader's own values replace in examples. */
export interface SampleValues {
  baseUrl: string;
  /** By the name of the parameter. */
  ids: Readonly<Record<string, string | undefined>>;
}

/** Returns the examples of a request, one per language; none for a WebSocket, which needs a client. */
export function makeSamples(request: SampleRequest, values: SampleValues): CodeSample[] {
  if (request.responds === 'socket') return [];
  return [
    { name: 'curl', language: 'shell', code: curlSample(request, values) },
    { name: 'Node', language: 'javascript', code: nodeSample(request, values) },
    { name: 'Python', language: 'python', code: pythonSample(request, values) },
  ];
}

/** How each language sends a credential from a variable. The shell expands those of curl, so none may have single quotes. */
const CREDENTIALS = {
  curl: {
    key: '"X-API-Key: $EDS_API_KEY"',
    person: '"Authorization: Bearer $ACCESS_TOKEN"',
    portal: '"Authorization: Bearer $PORTAL_TOKEN"',
    operator: '"X-Platform-Admin-Token: $PLATFORM_ADMIN_TOKEN"',
  },
  client: {
    key: 'apiKey: process.env.EDS_API_KEY',
    person: "accessToken: () => process.env.ACCESS_TOKEN ?? ''",
    portal: "accessToken: () => process.env.PORTAL_TOKEN ?? ''",
    operator: "headers: { 'X-Platform-Admin-Token': process.env.PLATFORM_ADMIN_TOKEN ?? '' }",
  },
  fetch: {
    key: "'X-API-Key': process.env.EDS_API_KEY ?? ''",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the example
    person: 'Authorization: `Bearer ${process.env.ACCESS_TOKEN}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the example
    portal: 'Authorization: `Bearer ${process.env.PORTAL_TOKEN}`',
    operator: "'X-Platform-Admin-Token': process.env.PLATFORM_ADMIN_TOKEN ?? ''",
  },
  python: {
    key: "'X-API-Key': os.environ['EDS_API_KEY']",
    person: "'Authorization': 'Bearer ' + os.environ['ACCESS_TOKEN']",
    portal: "'Authorization': 'Bearer ' + os.environ['PORTAL_TOKEN']",
    operator: "'X-Platform-Admin-Token': os.environ['PLATFORM_ADMIN_TOKEN']",
  },
};

/** Returns a curl command that sends the request, for a POSIX shell. */
export function curlSample(request: SampleRequest, values: SampleValues): string {
  const body = fillIds(request.body, values);
  const headers = headersOf(request, 'curl', (name, value) => shellQuote(`${name}: ${value}`));
  // Quoted always: a shell would expand the braces of a short object.
  const data = `'${writeLiteral(body, JSON_STYLE).replaceAll("'", `'\\''`)}'`;
  const lines = [
    ['curl', ...curlOptions(request), shellQuote(urlOf(request, values))].join(' '),
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`${request.isRaw ? '--data-binary' : '-d'} ${data}`]),
  ];
  return lines.join(' \\\n  ');
}

function curlOptions({ method, responds, body }: SampleRequest): string[] {
  // curl sends a body with POST, and anything else with GET.
  const verb = method === (body === undefined ? 'GET' : 'POST') ? [] : ['-X', method];
  if (responds === 'redirect') return ['-i', ...verb];
  return responds === 'file' ? ['-OJ', ...verb] : verb;
}

/** Returns a module that sends the request with the TypeScript client, or with fetch where the client has no method. */
export function nodeSample(request: SampleRequest, values: SampleValues): string {
  const { client, credential, path } = request;
  if (client === null) return fetchSample(request, values);
  const needsProject = path.includes('{projectId}') && !client.ids.includes('projectId');
  const options = [
    `baseUrl: ${quote(values.baseUrl)}`,
    ...(credential === null ? [] : [CREDENTIALS.client[credential]]),
    ...(needsProject ? [`projectId: ${quote(idOf('projectId', values))}`] : []),
  ];
  return `import { EventDeliveryClient } from 'event-delivery-client';

const client = new EventDeliveryClient({
${linesOf(options, '  ')}});

${callOf(request, client, values)}`;
}

function callOf(request: SampleRequest, call: ClientCall, values: SampleValues): string {
  const body = fillIds(request.body, values);
  const idempotencyKey = request.headers['Idempotency-Key'];
  const given = [
    ...call.ids.map((name) => quote(idOf(name, values))),
    ...(call.takesBody && body !== undefined ? [writeLiteral(body, JAVASCRIPT_STYLE)] : []),
    ...(Object.keys(request.query).length > 0 ? [writeLiteral(request.query, JAVASCRIPT_STYLE)] : []),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${quote(idempotencyKey)} }`]),
  ];
  const sent = `client.${call.resource}.${call.method}(${given.join(', ')})`;
  switch (call.kind) {
    case 'list':
      return `for await (const item of ${sent}) {\n  console.log(item);\n}`;
    case 'call':
      return `const result = await ${sent};\nconsole.log(result);`;
    case 'download':
      return `const response = await ${sent};\nconsole.log(await response.text());`;
    case 'run':
      return `await ${sent};`;
  }
}

function fetchSample(request: SampleRequest, values: SampleValues): string {
  const { method, responds } = request;
  const body = fillIds(request.body, values);
  const headers = headersOf(request, 'fetch', (name, value) => `${quote(name)}: ${quote(value)}`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${linesOf(headers, '    ')}  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${writeLiteral(body, JAVASCRIPT_STYLE, '  ')})`]),
    ...(responds === 'redirect' ? ["redirect: 'manual'"] : []),
  ];
  const given = options.length === 0 ? '' : `, {\n${linesOf(options, '  ')}}`;
  const sent = `const response = await fetch(${quote(urlOf(request, values))}${given});`;
  if (responds === 'redirect') return `${sent}\nconsole.log(response.headers.get('Location'));`;
  const checked = `${sent}\nif (!response.ok) throw new Error(await response.text());`;
  if (responds === 'nothing') return checked;
  return `${checked}\nconsole.log(await response.${responds === 'json' ? 'json' : 'text'}());`;
}

const PYTHON_READERS: Partial<Record<SampleRequest['responds'], string>> = {
  nothing: 'print(response.status)',
  redirect: 'print(response.url)',
  json: 'print(json.load(response))',
};

/** Returns a Python 3 program that sends the request with the standard library. */
function pythonSample(request: SampleRequest, values: SampleValues): string {
  const { method, credential, responds } = request;
  const body = fillIds(request.body, values);
  const headers = headersOf(request, 'python', (name, value) => `${quote(name)}: ${quote(value)}`);
  const given = [
    quote(urlOf(request, values)),
    ...(method === 'GET' ? [] : [`method='${method}'`]),
    ...(headers.length === 0 ? [] : [`headers={\n${linesOf(headers, '        ')}    }`]),
    ...(body === undefined ? [] : [`data=json.dumps(${writeLiteral(body, PYTHON_STYLE, '    ')}).encode()`]),
  ];
  const modules = [
    ...(body === undefined && responds !== 'json' ? [] : ['json']),
    ...(credential === null ? [] : ['os']),
    'urllib.request',
  ];
  return `import ${modules.join(', ')}

request = urllib.request.Request(
${linesOf(given, '    ')})
with urllib.request.urlopen(request) as response:
    ${PYTHON_READERS[responds] ?? 'print(response.read().decode())'}`;
}

/** Returns the credential, the headers of the request, and the type of its body, as a language writes them. */
function headersOf(
  { credential, headers, body }: SampleRequest,
  language: keyof typeof CREDENTIALS,
  write: (name: string, value: string) => string,
): string[] {
  return [
    ...(credential === null ? [] : [CREDENTIALS[language][credential]]),
    ...Object.entries(headers).map(([name, value]) => write(name, value)),
    ...(body === undefined ? [] : [write('Content-Type', 'application/json')]),
  ];
}

function linesOf(parts: readonly string[], indent: string): string {
  return parts.map((part) => `${indent}${part},\n`).join('');
}

/** Returns the reader's id, or a name in capitals to replace: "apiKeyId" → "API_KEY_ID". */
function idOf(name: string, { ids }: SampleValues): string {
  return ids[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Returns the URL of a request, with its ids filled in. */
function urlOf({ path, query }: SampleRequest, values: SampleValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(idOf(name, values)));
  const parameters = new URLSearchParams(query).toString();
  return values.baseUrl + filled + (parameters === '' ? '' : `?${parameters}`);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns a value with the ids in it filled in. */
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

/** How a language writes values. */
interface LiteralStyle {
  /** Those that differ from JSON. */
  constants?: Record<string, string>;
  quote: (text: string) => string;
  /** The name of a member, with its colon. */
  key: (name: string) => string;
  /** Whether a list on several lines ends with a comma. */
  hasTrailingComma: boolean;
  /** Between the braces and the members of a short object. */
  padding: string;
  /** The indentation of one level. */
  step: string;
}

/** Writes a string with single quotes if nothing in it needs an escape. JavaScript and Python read the escapes of JSON. */
export function quote(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

export const JSON_STYLE: LiteralStyle = {
  quote: JSON.stringify,
  key: (name) => `${JSON.stringify(name)}: `,
  hasTrailingComma: false,
  padding: '',
  step: '  ',
};

export const JAVASCRIPT_STYLE: LiteralStyle = {
  quote,
  // A member __proto__ without brackets would set the prototype.
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? `${name}: ` : `[${quote(name)}]: `),
  hasTrailingComma: true,
  padding: ' ',
  step: '  ',
};

export const PYTHON_STYLE: LiteralStyle = {
  constants: { true: 'True', false: 'False', null: 'None' },
  quote,
  key: (name) => `${quote(name)}: `,
  hasTrailingComma: true,
  padding: '',
  step: '    ',
};

/** Longer lists and objects are written on several lines. */
const MAX_LINE_CHARS = 48;

/**
 * Writes a JSON value as source code.
 * @param indent precedes its lines after the first
 */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.quote(value);
  if (typeof value !== 'object' || value === null) return style.constants?.[String(value)] ?? String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = (inner: string) =>
    Array.isArray(value)
      ? value.map((each) => writeLiteral(each, style, inner))
      : Object.entries(value).map(([name, each]) => style.key(name) + writeLiteral(each, style, inner));
  const inline = members('').join(', ');
  if (inline === '') return open + close;
  const padding = Array.isArray(value) ? '' : style.padding;
  const isShort = inline.length <= MAX_LINE_CHARS && !inline.includes('\n');
  if (isShort) return `${open}${padding}${inline}${padding}${close}`;
  const lines = members(indent + style.step).map((member) => `\n${indent}${style.step}${member}`);
  return `${open}${lines.join(',')}${style.hasTrailingComma ? ',' : ''}\n${indent}${close}`;
}
