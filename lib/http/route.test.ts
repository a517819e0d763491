import { expect, it } from 'vitest';
import { noContent } from './api-response';
import { route } from './route';

const ID = '01a201a6-a07a-7255-90ec-19eb8d5704fa';

it('passes path ids in lower case to caller and handler, and keeps the case of a token', async () => {
  const seen: unknown[] = [];
  const definition = route({
    summary: 'Tells its parameters.',
    caller: { kind: 'anyone', authenticate: async ({ params }) => void seen.push(params) },
    params: ['projectId', 'token'],
    response: { status: 204 },
    handler: async ({ params }) => {
      seen.push(params);
      return noContent();
    },
  });
  const response = await definition.serve({
    method: 'GET',
    route: '/projects/{projectId}/{token}',
    params: { projectId: ID.toUpperCase(), token: 'AbC' },
    query: new URLSearchParams(),
    rawQuery: '',
    header: () => null,
    listHeaders: () => [],
    readBody: async () => Buffer.alloc(0),
    client: { ipAddress: null, userAgent: null },
    requestId: 'test',
  });
  expect(response.status).toBe(204);
  expect(seen).toEqual([
    { projectId: ID, token: 'AbC' },
    { projectId: ID, token: 'AbC' },
  ]);
});
