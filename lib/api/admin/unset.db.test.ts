import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { listOperatorPaths } from '@/tests/fixtures/operator';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';

useDatabase({ PLATFORM_ADMIN_TOKEN: '' });
const projects = useProjects();

describe.each(useAdapters())('while PLATFORM_ADMIN_TOKEN is unset, %s', (_name, call) => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'every operator path answers like an unknown path, whatever the token, with %s',
    async (verb) => {
      const nowhere = await call(verb, '/api/v1/nowhere');
      for (const path of listOperatorPaths()) {
        for (const token of [undefined, '', 'x', 'undefined', 'null']) {
          const options = token === undefined ? {} : { headers: { 'x-platform-admin-token': token } };
          const response = await call(verb, path, options);
          expect(response.status, `${verb} ${path}`).toBe(404);
          expect(response.headers.allow).toBeUndefined();
          if (verb !== 'HEAD') expect({ ...response.json, requestId: '' }).toEqual({ ...nowhere.json, requestId: '' });
        }
      }
    },
  );

  it('a session or an API key gives no access either', async () => {
    for (const path of listOperatorPaths()) {
      expect((await call('GET', path, { bearer: projects.mine.owner.accessToken })).status).toBe(404);
      expect((await call('GET', path, { apiKey: projects.mine.key })).status).toBe(404);
    }
  });
});
