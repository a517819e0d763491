import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';

useDatabase();
const projects = useProjects();

describe.each(useAdapters())('a resource %s', (_name, call) => {
  const path = () => `/api/v1/projects/${projects.mine.id}`;
  const read = (headers: Record<string, string> = {}, method = 'GET') =>
    call<{ name: string }>(method, path(), { bearer: projects.mine.owner.accessToken, headers });

  it('is not sent again to a client that has it, until it changes', async () => {
    const first = await read();
    const tag = first.headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await read({ 'if-none-match': given });
      expect([again.status, again.text, again.headers.etag], given).toEqual([304, '', tag]);
    }
    const head = await read({}, 'HEAD');
    expect([head.status, head.headers.etag]).toEqual([200, tag]);
    const body = { name: `${first.json.name} renamed` };
    const renamed = await call('PATCH', path(), { bearer: projects.mine.owner.accessToken, body });
    expect([renamed.status, renamed.headers.etag]).toEqual([200, undefined]);
    const changed = await read({ 'if-none-match': tag });
    expect([changed.status, changed.json.name]).toEqual([200, body.name]);
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('is hidden from a caller without access, whatever tag they send', async () => {
    const stranger = { bearer: projects.foreign.owner.accessToken, headers: { 'if-none-match': '*' } };
    expect((await call('GET', path(), stranger)).status).toBe(404);
    expect((await call('GET', path(), { headers: { 'if-none-match': '*' } })).status).toBe(401);
  });

  it('has an ETag; a list has none', async () => {
    const list = await call('GET', `${path()}/api-keys`, { bearer: projects.mine.owner.accessToken });
    expect([list.status, list.headers.etag]).toEqual([200, undefined]);
  });
});
