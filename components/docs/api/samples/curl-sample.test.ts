import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { curlSample } from './curl-sample';
import type { SampleRequest, SampleValues } from './sample-request';

const REQUEST: SampleRequest = {
  method: 'POST',
  path: '/api/v1/projects/{projectId}/endpoints/{endpointId}',
  credential: 'key',
  query: {},
  headers: {},
  body: { url: 'https://example.com/webhooks' },
  isRaw: false,
  responds: 'json',
  client: null,
};
const VALUES: SampleValues = { baseUrl: 'https://events.example.com', ids: {} };

/** Runs a command in a shell whose curl prints its arguments. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, EDS_API_KEY: 'eds_1' },
  });
  return printed.split('\0').slice(0, -1);
}

it('names the ids to replace, and fills in those that are known', () => {
  expect(
    curlSample(REQUEST, VALUES),
  ).toBe(`curl https://events.example.com/api/v1/projects/PROJECT_ID/endpoints/ENDPOINT_ID \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/webhooks"}'`);
  const { body: _, ...withoutBody } = REQUEST;
  const known = { ...VALUES, ids: { projectId: 'p1' } };
  expect(curlSample({ ...withoutBody, method: 'DELETE', credential: 'person' }, known)).toBe(
    `curl -X DELETE https://events.example.com/api/v1/projects/p1/endpoints/ENDPOINT_ID \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`,
  );
});

it('has the query parameters that the call requires', () => {
  const { body: _, ...withoutBody } = REQUEST;
  const request = { ...withoutBody, method: 'GET', path: '/api/v1/auth/device', query: { userCode: 'a b&c' } };
  expect(argumentsOf(curlSample(request, VALUES))[0]).toBe(
    'https://events.example.com/api/v1/auth/device?userCode=a+b%26c',
  );
});

it('replaces ids in the body', () => {
  const body = {
    endpointId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84',
    ids: [{ projectId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84' }],
  };
  const command = curlSample({ ...REQUEST, body }, { ...VALUES, ids: { projectId: 'p1' } });
  expect(JSON.parse(argumentsOf(command).at(-1) ?? '')).toEqual({
    endpointId: 'ENDPOINT_ID',
    ids: [{ projectId: 'p1' }],
  });
});

it('is read by a shell as it is meant, whatever ids, headers and body contain', () => {
  const text = fc
    .oneof(
      fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', ' ', '{', '*', ';', '\n', 'a') }),
      fc.string(),
    )
    .filter((each) => !each.includes('\0'));
  fc.assert(
    fc.property(text, text, text, (id, header, member) => {
      const request = { ...REQUEST, headers: { 'Idempotency-Key': header }, body: { [member]: member } };
      const given = argumentsOf(curlSample(request, { ...VALUES, ids: { projectId: id } }));
      const [url, , credential, , idempotencyKey, , , , data = ''] = given;
      expect(url).toBe(`${VALUES.baseUrl}/api/v1/projects/${encodeURIComponent(id)}/endpoints/ENDPOINT_ID`);
      expect([credential, idempotencyKey]).toEqual(['X-API-Key: eds_1', `Idempotency-Key: ${header}`]);
      expect(JSON.stringify(JSON.parse(data))).toBe(JSON.stringify(request.body));
      expect(given).toHaveLength(9);
    }),
    { numRuns: 60 },
  );
});
