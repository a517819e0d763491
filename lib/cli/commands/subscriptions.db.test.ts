import { describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { useCli } from '@/tests/cli/use-cli';

const { projects, makeEndpoint, group } = useCli();
const { run } = group('subscriptions');

async function create(eventType: string): Promise<{ id: string; endpointId: string }> {
  const endpoint = await makeEndpoint();
  return JSON.parse((await run(['create', endpoint.id, eventType, '--json'])).stdout);
}

describe('eds subscriptions', () => {
  it('creates subscriptions and lists them with the URL of their endpoint', async () => {
    const endpoint = await makeEndpoint(projects.mine, { url: 'https://a.example.com/hooks' });
    const created = await run(['create', endpoint.id, 'order.*']);
    const [, id] = /to order\.\* \((\S+)\)/.exec(created.stderr) ?? [];
    const options = { tty: ['stdout' as const], columns: 140 };
    const table = await run(['list', '--endpoint', endpoint.id], options);
    expect(table.stdout).toMatch(/^ID +EVENT TYPE +STATE +ENDPOINT +CREATED$/m);
    expect(table.stdout).toMatch(new RegExp(`^${id}  order\\.\\* +enabled +https://a\\.example\\.com/hooks +\\S`, 'm'));
    const lines = await run(['list', '--endpoint', endpoint.id]);
    expect(lines.stdout).toMatch(
      new RegExp(`^${id}\torder\\.\\*\tenabled\thttps://a\\.example\\.com/hooks\t\\S+Z$`, 'm'),
    );
    const json = await run(['list', '--endpoint', endpoint.id, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id, endpointId: endpoint.id, eventType: 'order.*' }]);
    expect((await run(['list', '--endpoint', newId()])).stderr).toContain('No subscriptions.');
  });

  it('changes, disables, enables and deletes a subscription', async () => {
    const { id, endpointId } = await create('order.paid');
    const stored = async () => JSON.parse((await run(['list', '--endpoint', endpointId, '--json'])).stdout);
    expect((await run(['update', id, '--event-type', 'order.*'])).stderr).toContain('now matches order.*');
    expect(JSON.parse((await run(['disable', id, '--json'])).stdout)).toMatchObject({ enabled: false });
    expect(await stored()).toMatchObject([{ enabled: false, eventType: 'order.*' }]);
    expect((await run(['enable', id])).stderr).toContain(`Enabled the subscription ${id}`);
    const asked = await run(['delete', id], { tty: ['stdin', 'stderr'], stdin: 'n\n' });
    expect([asked.code, await stored()]).toMatchObject([1, [{ enabled: true }]]);
    expect((await run(['delete', id, '--yes'])).code).toBe(0);
    expect(await stored()).toEqual([]);
  });

  it('exits with 1 for a duplicate, and 2 for wrong options', async () => {
    const { id, endpointId } = await create('order.paid');
    const duplicate = await run(['create', endpointId, 'order.paid', '--json']);
    expect([duplicate.code, JSON.parse(duplicate.stderr).error.code]).toEqual([1, 'conflict']);
    expect((await run(['update', id])).code).toBe(2);
    expect((await run(['create', endpointId])).code).toBe(2);
  });
});
