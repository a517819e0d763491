import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { BytePace } from '@/lib/tunnel/relay/byte-pace';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { readAll, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

describe('the bytes of an owner', () => {
  const MIB = 1024 * 1024;
  const others = () => {
    const working = setInterval(() => noteActive('others'), 100);
    onTestFinished(() => clearInterval(working));
    noteActive('others');
  };
  beforeEach(() => {
    // Others were active in the test before.
    setOnce('active-owners', undefined);
    setOnce('tunnel-bytes', new BytePace({ perSecond: MIB, burst: MIB }));
    onTestFinished(() => setOnce('tunnel-bytes', undefined));
  });
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const body = Buffer.alloc(3 * MIB, 'x');
  const connectTunnel = async () => {
    const local = await startLocal(async (message, response) => {
      if (message.method === 'POST') await readAll(message).catch(() => null);
      response.end(message.method === 'POST' ? 'read' : body);
    });
    const tunnel = await makeTunnel(project);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    return `${server.origin}${tunnel.prefix}`;
  };

  it.each([
    ['to a visitor', {}],
    ['to a client', { method: 'POST', body }],
  ])('go %s at a pace while others are active, and at once while nobody is', async (_direction, options) => {
    const url = await connectTunnel();
    expect(await timed(() => visit(url, options))).toBeLessThan(1_000);
    others();
    // The first visit has used up what may go at once.
    expect(await timed(() => visit(url, options))).toBeGreaterThan(2_500);
  });

  it('leave the connection alive while it rests', async () => {
    const url = await connectTunnel();
    others();
    const [large] = await Promise.all([visit(url), visit(url), visit(url)]);
    expect(large.body.length).toBe(3 * MIB);
    expect(String((await visit(url, { method: 'POST', body: 'x' })).body)).toBe('read');
  });
});
