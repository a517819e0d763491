import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '@/lib/keys/key-format';
import { openTunnel, type TunnelHandle } from '@/lib/tunnel/client';
import { connect as connectClient } from '@/lib/tunnel/client/connect';
import { encodeFrame } from '@/lib/tunnel/protocol/frames';
import { FRAME, MAX_RESPONSE_HEAD_BYTES } from '@/lib/tunnel/protocol/protocol';
import { atPace } from './pace.mjs';

// The attacks of the benchmark `hostile-tenants`, in a process of their own. Each ends by itself after `ms`.

/** What an attacker has: an account with an organization, and strangers' access to everything public. */
export interface Attacker {
  port: number;
  bearer: string;
  organizationId: string;
  projectId: string;
  /** A key that may write, and one that may only read. */
  key: string;
  readKey: string;
  /** Paths of sources, such as `/api/v1/ingress/…`. */
  ingressPaths: string[];
  /** A source with hundreds of destinations, and an incoming event of it. */
  fanOutEventId: string;
  endpointId: string;
  tunnelIds: string[];
  tunnelPaths: string[];
}

type Count = (status: number | string) => void;
type Attack = (attacker: Attacker, end: number, count: Count) => Promise<unknown>;

const KIB = 1024;
/** Attackers are in another network than the bystander. */
const ADDRESS = '198.51.100.7';
const FROM = `X-Forwarded-For: ${ADDRESS}`;

export const ATTACKS: Record<string, Attack> = {
  'one-byte chunks to sign-in': tinyChunks('/api/v1/auth/login', 60),
  'one-byte chunks to a source': (attacker, end, count) =>
    tinyChunks(attacker.ingressPaths[0] ?? '', 60)(attacker, end, count),
  'one-byte chunks to a missing path': tinyChunks('/nothing/here', 4),
  'one-byte chunks through a tunnel': (attacker, end, count) =>
    tinyChunks(`${attacker.tunnelPaths[0]}/x`, 20)(attacker, end, count),
  'a filter that matches nothing': reads(
    150,
    ({ projectId }) => `/projects/${projectId}/deliveries?responseStatus=299`,
  ),
  'lists, counts and statistics': reads(100, ({ projectId }, index) => {
    const paths = [
      'incoming-events?verified=false',
      'events?status=FAILED&type=none.*',
      'delivery-count?responseStatus=299&status=FAILED',
      'stats?range=30d',
      'deliveries?eventType=none.*&limit=100',
    ];
    return `/projects/${projectId}/${paths[index % paths.length]}`;
  }),
  'retention figures': reads(40, ({ organizationId }) => `/orgs/${organizationId}/retention`, 'bearer'),
  search: reads(40, ({ organizationId }) => `/orgs/${organizationId}/search?q=zzzzzzzz`, 'bearer'),
  'audit log': reads(40, ({ organizationId }) => `/orgs/${organizationId}/audit-log?action=account.deleted`, 'bearer'),
  'replays to 500 destinations': paced(14, ({ projectId, fanOutEventId }) => ({
    path: `/projects/${projectId}/incoming-events/${fanOutEventId}/replay`,
    body: '{}',
  })),
  'rotations of one secret': inFlight(60, ({ projectId, endpointId }) => ({
    path: `/projects/${projectId}/endpoints/${endpointId}/rotate-secret`,
    body: '',
  })),
  'large bodies to 100 sources': intake,
  'documentation pages': strangers(40, '/docs/guides/retries'),
  metrics: strangers(100, '/metrics'),
  'previews of invitations': strangers(100, '/api/v1/auth/accept-invitation/preview', '{"token":"none"}'),
  'password resets from 50 networks': (attacker, end, count) => {
    let index = 0;
    return inFlight(150, () => ({
      path: '/api/v1/auth/forgot-password',
      body: '{"email":"nobody@example.com"}',
      credential: 'none',
      address: `192.0.2.${index++ % 50}`,
    }))(attacker, end, count);
  },
  'cheap requests of 100 connections': floods(100, 1, 'GET /api/health/live'),
  'documents on 100 pipelined connections': floods(100, 32, 'GET /docs/guides/retries'),
  'unknown sources on 100 pipelined connections': floods(100, 32, `POST /api/v1/ingress/${'x'.repeat(43)}`),
  'upgrades on 20 pipelined connections': floods(
    20,
    32,
    'GET /api/v1/nothing',
    'Connection: Upgrade\r\nUpgrade: h2c\r\n',
  ),
  'requests that tunnels hold': holdRequests,
  'large heads through a tunnel': largeHeads,
  'an endless body through a tunnel': endlessBodies,
  'events of nested JSON': inFlight(32, () => ({ path: '/api/v1/events', body: eventOf(nested(60 * KIB)) })),
  'large events of nested JSON': inFlight(32, () => ({ path: '/api/v1/events', body: eventOf(nested(250 * KIB)) })),
  'repeats of an event in another spelling': (attacker, end, count) => {
    let index = 0;
    const numbers = `[${'1e5,'.repeat(15_000)}1]`;
    return inFlight(32, () => ({
      path: '/api/v1/events',
      body: eventOf(`${' '.repeat(index++ % 2)}${numbers}`),
      idempotencyKey: 'the-same',
    }))(attacker, end, count);
  },
  'JSON with invented keys': inFlight(64, () => ({
    path: '/api/v1/events',
    body: eventOf(nested(1_900)),
    credential: 'invented',
  })),
  'large bodies with invented keys': inFlight(64, () => ({
    path: '/api/v1/events',
    body: 'x'.repeat(300 * KIB),
    credential: 'invented',
  })),
  'thousands of query parameters': inFlight(32, ({ projectId }) => ({
    path: `/projects/${projectId}/events?${Array.from({ length: 4_500 }, (_, index) => index.toString(36)).join('&')}`,
  })),
  'responses that nobody reads': unreadResponses,
  'bodies that end together': bodiesThatEndTogether,
};

/** Keeps `connections` connections that send bodies in chunks of one byte, and opens another for each that the server ends. */
function tinyChunks(path: string, connections: number): Attack {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  return async ({ port }, end, count) => {
    const send = () =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${FROM}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
        let sent = 0;
        const write = () => {
          // 24 MB for a connection, as long as the server reads.
          while (performance.now() < end && sent < 24_000_000) {
            sent += chunks.length;
            if (!socket.write(chunks)) return;
          }
          socket.end();
        };
        const timer = setTimeout(() => socket.destroy(), end - performance.now());
        socket.on('connect', () => {
          socket.write(head);
          write();
        });
        socket.on('drain', write);
        socket.once('data', (bytes) => count(Number(bytes.toString('latin1').slice(9, 12))));
        socket.on('error', () => count('reset'));
        socket.on('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    await repeat(connections, end, async () => {
      await send();
      await sleep(10);
    });
  };
}

function reads(
  requests: number,
  pathOf: (attacker: Attacker, index: number) => string,
  credential: 'bearer' | 'readKey' = 'readKey',
): Attack {
  return (attacker, end, count) => {
    let index = 0;
    return repeat(requests, end, () => request(attacker, { path: pathOf(attacker, index++), credential }, count));
  };
}

interface Sent {
  path: string;
  body?: string | Uint8Array<ArrayBuffer>;
  credential?: 'bearer' | 'readKey' | 'key' | 'invented' | 'none';
  idempotencyKey?: string;
  address?: string;
}

function inFlight(requests: number, of: (attacker: Attacker) => Sent): Attack {
  return (attacker, end, count) =>
    repeat(requests, end, () => request(attacker, { credential: 'key', ...of(attacker) }, count));
}

function paced(perSecond: number, of: (attacker: Attacker) => Sent): Attack {
  return (attacker, end, count) =>
    atPace(perSecond, end - performance.now(), () => request(attacker, { credential: 'key', ...of(attacker) }, count));
}

function strangers(perSecond: number, path: string, body?: string): Attack {
  return paced(perSecond, () => ({ path, credential: 'none', ...(body === undefined ? {} : { body }) }));
}

/** 200 bodies of 500 KiB under way, to all sources in turn. */
function intake(attacker: Attacker, end: number, count: Count): Promise<void> {
  const body = new Uint8Array(500 * KIB).fill(120);
  let index = 0;
  return repeat(200, end, () => {
    const path = attacker.ingressPaths[index++ % attacker.ingressPaths.length] ?? '';
    return request(attacker, { path, body, credential: 'none' }, count);
  });
}

const nested = (chars: number) => '['.repeat(chars / 2) + ']'.repeat(chars / 2);
const eventOf = (value: string) => `{"type":"order.paid","data":{"value":${value}}}`;

/** Opens 20 connections a second that ask for 32 lists each, and read nothing. */
async function unreadResponses({ port, projectId, readKey }: Attacker, end: number, count: Count): Promise<void> {
  const ask = `GET /api/v1/projects/${projectId}/deliveries?limit=100 HTTP/1.1\r\nHost: localhost\r\n${FROM}\r\nX-API-Key: ${readKey}\r\n\r\n`;
  const sockets: Socket[] = [];
  while (performance.now() < end) {
    const socket = connect(port, '127.0.0.1').on('error', () => count('reset'));
    socket.pause();
    socket.write(ask.repeat(32));
    sockets.push(socket);
    count('opened');
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
}

/** Sends the first 66 KiB of 200 bodies, pauses, and sends the rest of all of them at once. */
async function bodiesThatEndTogether(attacker: Attacker, end: number, count: Count): Promise<void> {
  const [first, rest] = [Buffer.alloc(66 * KIB, 120), Buffer.alloc(434 * KIB, 120)];
  while (performance.now() < end) {
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const path = attacker.ingressPaths[index % attacker.ingressPaths.length];
      const socket = connect(attacker.port, '127.0.0.1').on('error', () => count('reset'));
      socket.once('data', (bytes) => count(Number(bytes.toString('latin1').slice(9, 12))));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${FROM}\r\nContent-Length: ${500 * KIB}\r\n\r\n`);
      socket.write(first);
      return socket;
    });
    await sleep(2_000);
    for (const socket of sockets) socket.write(rest);
    await sleep(3_000);
    for (const socket of sockets) socket.destroy();
  }
}

/** A client for each tunnel, and 2,000 requests that its server never answers. */
async function holdRequests(attacker: Attacker, end: number, count: Count): Promise<void> {
  const silent = createServer(() => undefined);
  const handles = await openTunnels(attacker, silent, attacker.tunnelIds);
  let index = 0;
  await repeat(2_000, end, () => {
    const path = `${attacker.tunnelPaths[index++ % attacker.tunnelPaths.length]}/x`;
    return request(attacker, { path, credential: 'none' }, count, end - performance.now());
  });
  silent.closeAllConnections();
  silent.close();
  await Promise.allSettled(handles.map((handle) => handle.close()));
}

/** Starts a local server and connects it to tunnels. */
async function openTunnels(attacker: Attacker, local: Server, tunnelIds: string[]): Promise<TunnelHandle[]> {
  await once(local.listen(0, '127.0.0.1'), 'listening');
  const target = new URL(`http://127.0.0.1:${(local.address() as AddressInfo).port}`);
  const handles = tunnelIds.map((tunnelId) =>
    openTunnel({
      url: `http://127.0.0.1:${attacker.port}`,
      projectId: attacker.projectId,
      tunnelId,
      authorization: async () => `Bearer ${attacker.bearer}`,
      target,
      env: {},
    }),
  );
  await Promise.race([Promise.allSettled(handles.map(({ connected }) => connected)), sleep(5_000)]);
  return handles;
}

/** 100 requests under way, and clients that answer with the most expensive heads, of which every hundredth is too large. */
async function largeHeads(attacker: Attacker, end: number, count: Count): Promise<void> {
  const headOf = (value: object) => Buffer.from(JSON.stringify(value));
  const cookies = Array.from({ length: 150 }, () => ['set-cookie', `a=b${'; x'.repeat(60)}`]);
  const keys = Object.fromEntries(Array.from({ length: 2_800 }, (_, index) => [`k${index.toString(36)}`, 1]));
  const heads = [
    headOf({ status: 200, headers: cookies }),
    headOf({ status: 200, headers: [], ...keys }),
    headOf({ status: 200, headers: [['connection', ','.repeat(32_000)]] }),
  ];
  if (heads.some(({ length }) => length > MAX_RESPONSE_HEAD_BYTES)) throw new Error('a head is too large');
  const tooLarge = headOf({
    status: 200,
    headers: Array.from({ length: 1_990 }, () => ['set-cookie', `a=b${';'.repeat(40)}`]),
  });
  let answered = 0;
  const serve = async (tunnelId: string) => {
    const path = `/api/v1/projects/${attacker.projectId}/tunnels/${tunnelId}/connect?takeover=true`;
    const socket = await connectClient({
      url: new URL(path, `ws://127.0.0.1:${attacker.port}`),
      authorization: `Bearer ${attacker.bearer}`,
      clientSecret: tunnelId,
      userAgent: 'attacker',
      env: {},
    });
    const timer = setTimeout(() => socket.terminate(), end - performance.now());
    socket.on('ping', () => socket.pong());
    socket.on('message', (data: Buffer) => {
      if (data[4] !== FRAME.requestHead) return;
      const streamId = data.readUInt32BE();
      const head = ++answered % 100 === 0 ? tooLarge : heads[answered % heads.length];
      socket.send(encodeFrame(FRAME.responseHead, streamId, head));
      socket.send(encodeFrame(FRAME.end, streamId));
    });
    socket.resume();
    await once(socket, 'close');
    clearTimeout(timer);
  };
  const clients = attacker.tunnelIds.map((tunnelId) =>
    repeat(1, end, async () => {
      await serve(tunnelId).catch(() => undefined);
      await sleep(100);
    }),
  );
  let index = 0;
  const visitors = repeat(100, end, () => {
    const path = `${attacker.tunnelPaths[index++ % attacker.tunnelPaths.length]}/x`;
    return request(attacker, { path, credential: 'none' }, count, end - performance.now());
  });
  await Promise.all([...clients, visitors]);
}

/** Four responses that never end, and two uploads of 10 MB after another. */
async function endlessBodies(attacker: Attacker, end: number, count: Count): Promise<void> {
  const chunk = Buffer.alloc(64 * KIB, 120);
  const local = createServer((message, response) => {
    if (message.method === 'POST') {
      message.resume().on('end', () => response.end());
      return;
    }
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  const handles = await openTunnels(attacker, local, attacker.tunnelIds.slice(0, 2));
  const pathOf = (index: number) => `${attacker.tunnelPaths[index % 2]}/x`;
  let bytes = 0;
  const countBytes = (received: number) => {
    bytes += received;
    if (bytes >= KIB * KIB) {
      bytes -= KIB * KIB;
      count('MiB');
    }
  };
  const download = async (index: number) => {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
    try {
      const response = await fetch(`http://127.0.0.1:${attacker.port}${pathOf(index)}`, { signal });
      for await (const bytes of response.body ?? []) countBytes(bytes.length);
      count(response.status);
    } catch {
      await sleep(50);
    }
  };
  const upload = new Uint8Array(10_000_000);
  await Promise.all([
    ...Array.from({ length: 4 }, (_, index) => repeat(1, end, () => download(index))),
    repeat(2, end, () => request(attacker, { path: pathOf(0), body: upload }, count, end - performance.now())),
  ]);
  local.closeAllConnections();
  local.close();
  await Promise.allSettled(handles.map((handle) => handle.close()));
}

async function repeat(workers: number, end: number, work: () => Promise<void>): Promise<void> {
  const run = async () => {
    while (performance.now() < end) await work();
  };
  await Promise.all(Array.from({ length: workers }, run));
}

async function request(attacker: Attacker, sent: Sent, count: Count, timeoutMs = 30_000): Promise<void> {
  const { path, body, credential = 'none', idempotencyKey, address = ADDRESS } = sent;
  const isApi = path.startsWith('/projects/') || path.startsWith('/orgs/');
  const url = `http://127.0.0.1:${attacker.port}${isApi ? '/api/v1' : ''}${path}`;
  const headers: Record<string, string> = { 'X-Forwarded-For': address };
  if (credential === 'bearer') headers.Authorization = `Bearer ${attacker.bearer}`;
  else if (credential === 'invented') headers['X-API-Key'] = makeKey();
  else if (credential !== 'none') headers['X-API-Key'] = attacker[credential];
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  if (body !== undefined && body !== '') headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))),
    });
    await response.arrayBuffer();
    count(response.status);
    // A client that is told to wait waits at least a little.
    if (response.status >= 400) await sleep(50);
  } catch {
    count('failed');
    await sleep(50);
  }
}

process.on('message', async ({ name, attacker, ms }: { name: string; attacker: Attacker; ms: number }) => {
  const counts: Record<string, number> = {};
  await ATTACKS[name]?.(attacker, performance.now() + ms, (status) => {
    counts[status] = (counts[status] ?? 0) + 1;
  });
  process.send?.(counts);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

/** Requests of many connections of one network, some of each at a time, as fast as they are answered. */
function floods(connections: number, atOnce: number, line: string, headers = ''): Attack {
  const request = `${line} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 0\r\n${FROM}\r\n\r\n`;
  return async ({ port }, end, count) => {
    const flood = async () => {
      while (performance.now() < end) {
        const socket = connect(port, '127.0.0.1').on('error', () => count('reset'));
        const timer = setTimeout(() => socket.destroy(), end - performance.now());
        socket.write(request.repeat(atOnce));
        socket.on('data', (chunk) => {
          const answers = chunk.toString('latin1').match(/HTTP\/1\.1 \d{3}/g) ?? [];
          for (const answer of answers) count(answer.slice(-3));
          if (socket.writable) socket.write(request.repeat(answers.length));
        });
        await once(socket, 'close').catch(() => undefined);
        clearTimeout(timer);
      }
    };
    await Promise.all(Array.from({ length: connections }, flood));
  };
}
