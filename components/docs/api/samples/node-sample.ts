import { fetchSample } from './fetch-sample';
import { JAVASCRIPT_STYLE, writeLiteral } from './literal';
import { bodyOf, type ClientCall, idOf, type SampleRequest, type SampleValues } from './sample-request';

const CREDENTIALS = {
  key: 'apiKey: process.env.EDS_API_KEY',
  person: "accessToken: () => process.env.ACCESS_TOKEN ?? ''",
  operator: "headers: { 'X-Platform-Admin-Token': process.env.PLATFORM_ADMIN_TOKEN ?? '' }",
};

/** Returns a module that sends the request with the TypeScript client, or with fetch where the client has no method. */
export function nodeSample(request: SampleRequest, values: SampleValues): string {
  if (request.client === null) return fetchSample(request, values);
  return `import { EventDeliveryClient } from 'event-delivery-client';

${clientOf(request, request.client, values)}

${callOf(request, request.client, values)}`;
}

function clientOf(request: SampleRequest, { ids }: ClientCall, values: SampleValues): string {
  const needsProject = request.path.includes('{projectId}') && !ids.includes('projectId');
  const options = [
    `baseUrl: ${JAVASCRIPT_STYLE.quote(values.baseUrl)}`,
    ...(request.credential === null ? [] : [CREDENTIALS[request.credential]]),
    ...(needsProject ? [`projectId: ${JAVASCRIPT_STYLE.quote(idOf('projectId', values))}`] : []),
  ];
  return `const client = new EventDeliveryClient({\n${options.map((option) => `  ${option},\n`).join('')}});`;
}

function callOf(request: SampleRequest, call: ClientCall, values: SampleValues): string {
  const body = bodyOf(request, values);
  const options = Object.keys(request.headers).some((name) => name.toLowerCase() === 'idempotency-key')
    ? [`{ idempotencyKey: ${JAVASCRIPT_STYLE.quote(Object.values(request.headers)[0] ?? '')} }`]
    : [];
  const isQueryRequired = Object.keys(request.query).length > 0;
  const given = [
    ...call.ids.map((name) => JAVASCRIPT_STYLE.quote(idOf(name, values))),
    ...(call.takesBody && body !== undefined ? [writeLiteral(body, JAVASCRIPT_STYLE)] : []),
    ...(isQueryRequired ? [writeLiteral(request.query, JAVASCRIPT_STYLE)] : []),
    ...options,
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
