import { beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryTargetList } from '@/lib/delivery/schema';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import type { TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

const find = (query = '', project: TestProject = projects.mine) =>
  call<DeliveryTargetList>('GET', `${base(project)}/targets${query}`, asOwner(project));

describe('the targets of deliveries', () => {
  let endpointId: string;
  let destination: { id: string; sourceId: string };

  beforeAll(async () => {
    ({ id: endpointId } = await makeEndpoint(projects.mine, {
      url: 'https://a.example.com/',
      description: 'Billing_1',
    }));
    const make = async <T>(path: string, body: object) =>
      (await call<T>('POST', `${base()}/sources${path}`, { ...asOwner(), body })).json;
    const source = await make<{ id: string }>('', { name: 'shop', provider: 'NONE' });
    const made = await make<{ id: string }>(`/${source.id}/destinations`, { url: 'https://b.example.com/forward' });
    destination = { id: made.id, sourceId: source.id };
    await makeEndpoint(projects.foreign, { url: 'https://a.example.com/foreign' });
  });

  it('are endpoints and the destinations of all sources', async () => {
    expect((await find()).json.data).toEqual([
      { endpointId, destinationId: null, sourceId: null, url: 'https://a.example.com/', description: 'Billing_1' },
      {
        endpointId: null,
        destinationId: destination.id,
        sourceId: destination.sourceId,
        url: 'https://b.example.com/forward',
        description: null,
      },
    ]);
  });

  it('are found by a text in the URL or the description, in upper or lower case, and by id', async () => {
    const urls = async (q: string) => (await find(`?q=${encodeURIComponent(q)}`)).json.data.map(({ url }) => url);
    expect(await urls('EXAMPLE.com')).toHaveLength(2);
    expect(await urls('b.exam')).toEqual(['https://b.example.com/forward']);
    expect(await urls('billing_')).toEqual(['https://a.example.com/']);
    expect(await urls('%')).toEqual([]);
    expect(await urls(endpointId)).toEqual(['https://a.example.com/']);
    expect(await urls(destination.id)).toEqual(['https://b.example.com/forward']);
    expect((await find('?q=')).status).toBe(400);
  });

  it('are at most twenty, found among all of them', async () => {
    const first = await makeEndpoint(projects.foreign, { url: 'https://first.example.com/' });
    for (let n = 0; n < 25; n += 1) await makeEndpoint(projects.foreign, { url: `https://many.example.com/${n}` });
    expect((await find('', projects.foreign)).json.data).toHaveLength(20);
    expect((await find('?q=first', projects.foreign)).json.data).toMatchObject([{ endpointId: first.id }]);
  });

  it('are those of the own project alone', async () => {
    expect((await find('?q=foreign')).json.data).toEqual([]);
    expect((await find('?q=foreign', projects.foreign)).json.data).toHaveLength(1);
    expect((await call('GET', `${base(projects.foreign)}/targets`, asOwner())).status).toBe(404);
  });
});
