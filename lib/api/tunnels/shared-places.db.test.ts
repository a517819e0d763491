import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import type { PlaceLimits } from '@/lib/platform/shared-places';
import { openTunnel, type TunnelStatus } from '@/lib/tunnel/client';
import { SUBPROTOCOL } from '@/lib/tunnel/protocol/protocol';
import { BytePace } from '@/lib/tunnel/relay/byte-pace';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, makeProject, registerPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { readAll, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();

describe('with few places', () => {
  const LIMITS: PlaceLimits = { total: 5, perOwner: 3, kept: 1, few: 1, displaces: 'newest' };

  const server = useTunnelServer(() => ({ places: { clients: LIMITS, inFlight: { ...LIMITS, displaces: 'oldest' } } }));

  /** Makes tunnels, each in an organization of its own that the same person owns. */
  async function makeTunnels(count: number): Promise<TestTunnel[]> {
    const owner = await registerPerson();
    const tunnels: TestTunnel[] = [];
    for (let n = 0; n < count; n++) {
      const body = { name: `Org ${n}` };
      const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(owner, body));
      const project = await makeProject({ ...owner, organizationId: json.id });
      const { key } = await makeKey(project.id, owner, { name: 'server' });
      tunnels.push(await makeTunnel({ id: project.id, key }));
    }
    return tunnels;
  }

  let local: Awaited<ReturnType<typeof startLocal>>;

  async function connect(tunnel: TestTunnel) {
    const statuses: TunnelStatus[] = [];
    const handle = openTunnel({
      ...clientOf(server.origin, tunnel, local.url),
      onStatus: (status) => void statuses.push(status),
    });
    onTestFinished(() => handle.close());
    const reasonsOf = () => statuses.flatMap((status) => (status.state === 'disconnected' ? [status.reason] : []));
    return { handle, reasonsOf };
  }

  type Connected = Awaited<ReturnType<typeof connect>>;

  const urlOf = ({ prefix }: TestTunnel) => `${server.origin}${prefix}/`;

  describe('the organizations of one owner share', () => {
    it('places for clients: others find one, at last that of the newest client of the owner with the most', async () => {
      local = await startLocal((_message, response) => void response.end('served'));
      const many = await makeTunnels(4);
      const mine: Connected[] = [];
      for (const tunnel of many.slice(0, 3)) {
        mine.push(await connect(tunnel));
        await mine.at(-1)?.handle.connected;
      }
      const beyond = await connect(many[3] as TestTunnel);
      await expect.poll(() => beyond.reasonsOf()[0]).toMatch(/can’t hold more tunnels/);
      await beyond.handle.close();
      const others = [];
      for (let n = 0; n < 3; n++) {
        const [tunnel] = (await makeTunnels(1)) as [TestTunnel];
        const other = await connect(tunnel);
        await other.handle.connected;
        others.push({ tunnel, ...other });
      }
      await expect.poll(() => mine.map(({ reasonsOf }) => reasonsOf().length > 0)).toEqual([false, false, true]);
      expect(mine[2]?.reasonsOf()[0]).toMatch(/most of them by the same owner/);
      for (const { tunnel } of others) expect(String((await visit(urlOf(tunnel))).body)).toBe('served');
    });

    it('places for requests in flight: others are served', async () => {
      local = await startLocal((message, response) => {
        response.write('begun');
        if (message.url !== '/hold') response.end();
      });
      const [first, second] = (await makeTunnels(2)) as [TestTunnel, TestTunnel];
      const [other] = (await makeTunnels(1)) as [TestTunnel];
      for (const tunnel of [first, second, other]) await (await connect(tunnel)).handle.connected;
      const held: Awaited<ReturnType<typeof begin>>[] = [];
      for (const tunnel of [first, second, first]) held.push(await begin(`${urlOf(tunnel)}hold`));
      onTestFinished(() => {
        for (const { request } of held) request.destroy();
      });
      const refused = await visit(urlOf(second));
      expect([refused.status, refused.code]).toEqual([503, 'tunnel_busy']);
      expect(String((await visit(urlOf(other))).body)).toBe('begun');
    });
  });

  describe('the clients of one owner', () => {
    let tunnel: TestTunnel;
    beforeAll(async () => {
      [tunnel] = (await makeTunnels(1)) as [TestTunnel];
    });

    /** Offers the WebSocket of a tunnel. Returns the status; 101 when it connects. */
    const tryToConnect = ({ projectId, id, key }: TestTunnel, protocol = SUBPROTOCOL) =>
      new Promise<number>((resolve, reject) => {
        const path = `/api/v1/projects/${projectId}/tunnels/${id}/connect`;
        const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
        const websocket = { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Protocol': protocol };
        const headers = { ...upgrade, ...websocket, 'X-API-Key': key };
        const request = httpRequest(new URL(path, server.origin), { headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.on('upgrade', (_response, socket) => {
          socket.destroy();
          resolve(101);
        });
        request.on('error', reject).end();
      });

    it('try to connect at most 600 times a minute, with any subprotocol, and those of others are not slowed down', async () => {
      await connectClient(clientOf(server.origin, tunnel, new URL('http://127.0.0.1:1')));
      const statuses: number[] = [];
      for (let round = 0; round < 31; round++) {
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 20 }, (_, nth) => tryToConnect(tunnel, nth < 10 ? SUBPROTOCOL : 'other')),
          )),
        );
      }
      expect(statuses.indexOf(429)).toBeGreaterThan(500);
      expect(statuses.filter((status) => status === 429)).toHaveLength(21);
      expect(statuses).toContain(426);
      const [other] = (await makeTunnels(1)) as [TestTunnel];
      expect(await tryToConnect(other)).toBe(101);
    });
  });
});

describe('the bytes of an owner', () => {
  // Clients connect to the last one.
  const [peer, server] = [useTunnelServer(), useTunnelServer()];
  let project: TestProject;
  beforeAll(async () => {
    project = await makeTestProject();
  });
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

  /** Remembers the sizes of the chunks that it counts. */
  class RecordingPace extends BytePace {
    readonly chunks: number[] = [];
    override enter(owner: string) {
      const place = super.enter(owner);
      return { ...place, countChunk: (bytes: number) => this.chunks.push(bytes) && place.countChunk(bytes) };
    }
  }
  const SMALL_CHUNKS = 500;
  const sendSmallChunks = (url: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', agent: false }, resolve).on('error', reject);
      for (let chunk = 0; chunk < SMALL_CHUNKS; chunk++) request.write(Buffer.alloc(64));
      request.end();
    });

  it('count by the chunks of a body to a client, a test receiver, and the client of another process', async () => {
    const toClient = await connectTunnel();
    const toPeer = toClient.replace(server.origin, peer.origin);
    const { prefix } = await makeTunnel(project, { testResponse: { status: 200, delaySeconds: 0 } });
    for (const [url, processes] of [
      [toClient, 1],
      [`${server.origin}${prefix}`, 1],
      [toPeer, 2],
    ] as const) {
      const pace = new RecordingPace();
      setOnce('tunnel-bytes', pace);
      const response = await sendSmallChunks(url);
      expect(response.resume().statusCode).toBe(200);
      expect(pace.chunks.filter((bytes) => bytes === 64)).toHaveLength(processes * SMALL_CHUNKS);
    }
  });
});
