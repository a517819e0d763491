import type { CodeSample } from '@/components/ui/code-tabs';
import { curlSample } from './curl-sample';
import { PYTHON_STYLE, writeLiteral } from './literal';
import { nodeSample } from './node-sample';
import { bodyOf, type SampleRequest, type SampleValues, urlOf } from './sample-request';

const CREDENTIALS = {
  key: "'X-API-Key': os.environ['EDS_API_KEY']",
  person: `'Authorization': 'Bearer ' + os.environ['ACCESS_TOKEN']`,
  operator: "'X-Platform-Admin-Token': os.environ['PLATFORM_ADMIN_TOKEN']",
};

/** The languages of examples, in the order of their tabs. */
export const SAMPLE_LANGUAGES = ['curl', 'Node', 'Python'] as const;

/** Returns the examples of a request, one per language; none for a WebSocket, which needs a client. */
export function makeSamples(request: SampleRequest, values: SampleValues): CodeSample[] {
  if (request.responds === 'socket') return [];
  return [
    { name: 'curl', language: 'shell', code: curlSample(request, values) },
    { name: 'Node', language: 'javascript', code: nodeSample(request, values) },
    { name: 'Python', language: 'python', code: pythonSample(request, values) },
  ];
}

/** Returns a Python 3 program that sends the request with the standard library. */
function pythonSample(request: SampleRequest, values: SampleValues): string {
  const { quote } = PYTHON_STYLE;
  const body = bodyOf(request, values);
  const headers = [
    ...(request.credential === null ? [] : [CREDENTIALS[request.credential]]),
    ...Object.entries(request.headers).map(([name, value]) => `${quote(name)}: ${quote(value)}`),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const given = [
    quote(urlOf(request, values)),
    ...(request.method === 'GET' ? [] : [`method='${request.method}'`]),
    ...(headers.length === 0 ? [] : [`headers={\n${headers.map((header) => `        ${header},\n`).join('')}    }`]),
    ...(body === undefined ? [] : [`data=json.dumps(${writeLiteral(body, PYTHON_STYLE, '    ')}).encode()`]),
  ];
  const modules = [
    ...(body === undefined && request.responds !== 'json' ? [] : ['json']),
    ...(request.credential === null ? [] : ['os']),
    'urllib.request',
  ];
  return `import ${modules.join(', ')}

request = urllib.request.Request(
${given.map((argument) => `    ${argument},\n`).join('')})
with urllib.request.urlopen(request) as response:
    ${readerOf(request)}`;
}

function readerOf({ responds }: SampleRequest): string {
  if (responds === 'nothing') return 'print(response.status)';
  if (responds === 'redirect') return 'print(response.url)';
  return responds === 'json' ? 'print(json.load(response))' : 'print(response.read().decode())';
}
