import { JAVASCRIPT_STYLE, writeLiteral } from './literal';
import { bodyOf, type SampleRequest, type SampleValues, urlOf } from './sample-request';

const CREDENTIALS = {
  key: "'X-API-Key': process.env.EDS_API_KEY ?? ''",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the example
  person: 'Authorization: `Bearer ${process.env.ACCESS_TOKEN}`',
  operator: "'X-Platform-Admin-Token': process.env.PLATFORM_ADMIN_TOKEN ?? ''",
};

/** Returns a module that sends the request with fetch, for operations that the TypeScript client does not have. */
export function fetchSample(request: SampleRequest, values: SampleValues): string {
  const { quote } = JAVASCRIPT_STYLE;
  const body = bodyOf(request, values);
  const headers = [
    ...(request.credential === null ? [] : [CREDENTIALS[request.credential]]),
    ...Object.entries(request.headers).map(([name, value]) => `${quote(name)}: ${quote(value)}`),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(request.method === 'GET' ? [] : [`method: '${request.method}'`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${headers.map((header) => `    ${header},\n`).join('')}  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${writeLiteral(body, JAVASCRIPT_STYLE, '  ')})`]),
    ...(request.responds === 'redirect' ? ["redirect: 'manual'"] : []),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return `const response = await fetch(${quote(urlOf(request, values))}${given});\n${readerOf(request)}`;
}

function readerOf({ responds }: SampleRequest): string {
  if (responds === 'redirect') return "console.log(response.headers.get('Location'));";
  const check = 'if (!response.ok) throw new Error(await response.text());';
  if (responds === 'nothing') return check;
  return `${check}\nconsole.log(await response.${responds === 'json' ? 'json' : 'text'}());`;
}
