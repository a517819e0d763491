import { describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { readVia, viaHeader } from '@/lib/platform/net/via';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNode, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const call = callOver(sendThroughNode(server.port));

const via = () => viaHeader(newId(), newId(), readVia(null));
const forged = () => via().replace(/..$/, (end) => (end === 'AA' ? 'BB' : 'AA'));

describe('a request that a delivery of this service led to', () => {
  const event = { type: 'a', data: {} };

  it.each([
    ['an event', 'POST', '/api/v1/events', event],
    ['a replay', 'POST', `/api/v1/projects/P/incoming-events/${newId()}/replay`, {}],
    ['a bulk retry', 'POST', '/api/v1/projects/P/bulk-retries', {}],
    ['an unknown path', 'POST', '/api/v1/nothing', {}],
    ['a page', 'GET', '/login', undefined],
  ])('is refused before any work: %s', async (_, verb, path, body) => {
    const { id, key } = projects.mine;
    const answer = await call(verb, path.replace('/P/', `/${id}/`), {
      apiKey: key,
      headers: { 'x-eds-via': `${newId()}, ${via()}` },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.json).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('delivery') });
  });

  it('is none when another deployment has sent it, or somebody forged the mark', async () => {
    const { key } = projects.mine;
    for (const value of [forged(), newId(), 'x']) {
      const answer = await call('POST', '/api/v1/events', {
        body: event,
        apiKey: key,
        headers: { 'x-eds-via': value },
      });
      expect(answer.status).toBe(202);
    }
  });
});
