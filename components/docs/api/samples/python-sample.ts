import { PYTHON_STYLE, writeLiteral } from './literal';
import { bodyOf, type SampleRequest, type SampleValues, urlOf } from './sample-request';

const CREDENTIALS = {
  key: "'X-API-Key': os.environ['EDS_API_KEY']",
  person: `'Authorization': 'Bearer ' + os.environ['ACCESS_TOKEN']`,
  operator: "'X-Platform-Admin-Token': os.environ['PLATFORM_ADMIN_TOKEN']",
};

/** Returns a Python 3 program that sends the request with the standard library. */
export function pythonSample(request: SampleRequest, values: SampleValues): string {
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
