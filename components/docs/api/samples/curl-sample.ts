import { shellQuote } from '@/components/ui/shell-quote';
import { JSON_STYLE, writeLiteral } from './literal';
import { bodyOf, type SampleRequest, type SampleValues, urlOf } from './sample-request';

/** Each is expanded by the shell, so none of them may have single quotes. */
const CREDENTIALS = {
  key: '"X-API-Key: $EDS_API_KEY"',
  person: '"Authorization: Bearer $ACCESS_TOKEN"',
  operator: '"X-Platform-Admin-Token: $PLATFORM_ADMIN_TOKEN"',
};

/** Returns a curl command that sends the request, for a POSIX shell with the credential in a variable. */
export function curlSample(request: SampleRequest, values: SampleValues): string {
  const body = bodyOf(request, values);
  const headers = [
    ...(request.credential === null ? [] : [CREDENTIALS[request.credential]]),
    ...Object.entries(request.headers).map(([name, value]) => shellQuote(`${name}: ${value}`)),
    ...(body === undefined ? [] : [shellQuote('Content-Type: application/json')]),
  ];
  const lines = [
    ['curl', ...optionsOf(request, body !== undefined), shellQuote(urlOf(request, values))].join(' '),
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`${request.isRaw ? '--data-binary' : '-d'} ${quoteJson(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function optionsOf({ method, responds }: SampleRequest, hasBody: boolean): string[] {
  // curl sends a body with POST, and anything else with GET.
  const isDefault = method === (hasBody ? 'POST' : 'GET');
  const verb = isDefault ? [] : ['-X', method];
  if (responds === 'redirect') return ['-i', ...verb];
  return responds === 'file' ? ['-OJ', ...verb] : verb;
}

/** Quotes always: a shell would expand the braces of a short object. */
function quoteJson(body: unknown): string {
  return `'${writeLiteral(body, JSON_STYLE).replaceAll("'", `'\\''`)}'`;
}
