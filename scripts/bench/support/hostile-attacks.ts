import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTunnel } from '@/lib/tunnel/client';
import { connect as connectClient } from '@/lib/tunnel/client/connect';
import { encodeFrame } from '@/lib/tunnel/protocol/frames';
import { FRAME, MAX_RESPONSE_HEAD_BYTES } from '@/lib/tunnel/protocol/protocol';
import {
  type Attack,
  type Attacker,
  type Count,
  FROM,
  inFlight,
  paced,
  pathOf,
  type Requests,
  readByOthers,
  repeat,
  request,
} from './hostile-requests';
import { atPace } from './pace.mjs';

// The attacks of the benchmark `hostile-tenants`, in a process of their own. Each ends by itself after `ms`.

const KIB = 1024;
const EVENTS = '/api/v1/events';
const PROJECT = '/api/v1/projects/{projectId}';
const ORGANIZATION = '/api/v1/orgs/{organizationId}';
const LISTS = [
  'incoming-events?verified=false',
  'events?status=FAILED&type=none.*',
  'delivery-count?responseStatus=299&status=FAILED',
  'stats?range=30d',
  'deliveries?eventType=none.*&limit=100',
].map((list) => `${PROJECT}/${list}`);
const MANY_PARAMETERS = Array.from({ length: 4_500 }, (_, index) => index.toString(36)).join('&');
const LARGE_BODY = new Uint8Array(500 * KIB).fill(120);
const LONG_ARRAY = `[${'1e5,'.repeat(15_000)}1]`;
const eventOf = (value: string) => `{"type":"order.paid","data":{"value":${value}}}`;
const nestedEvent = (chars: number) => eventOf('['.repeat(chars / 2) + ']'.repeat(chars / 2));
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
/** To convert these letters to ASCII takes quadratic time. */
const LETTERS =
  String.fromCodePoint(...Array.from({ length: 606 }, (_, index) => 0x4e00 + index)) + '\u3316'.repeat(404);
const LONG_HOST = encodeURIComponent(LETTERS).repeat(3);

/** Each from another network, and for another person. */
const WRONG_PASSWORDS: Requests = {
  credential: 'none',
  paths: '/api/v1/auth/login',
  body: (index) => JSON.stringify({ email: `person-${index % 5_000}@example.com`, password: `wrong ${index}` }),
  headersOf: (index) => ({ 'X-Forwarded-For': `10.${(index % 2_000) >> 8}.${(index % 2_000) & 255}.1` }),
};

export const ATTACKS: Record<string, Attack> = {
  'one-byte chunks to sign-in': tinyChunks(60, '/api/v1/auth/login'),
  'one-byte chunks to a source': tinyChunks(60, '{ingressPath}'),
  'one-byte chunks to a missing path': tinyChunks(4, '/nothing/here'),
  'one-byte chunks through a tunnel': tinyChunks(20, '{tunnelPath}/x'),
  'a filter that matches nothing': inFlight(150, 'readKey', `${PROJECT}/deliveries?responseStatus=299`),
  'lists, counts and statistics': inFlight(100, 'readKey', LISTS),
  'retention figures': inFlight(40, 'bearer', `${ORGANIZATION}/retention`),
  search: inFlight(40, 'bearer', `${ORGANIZATION}/search?q=zzzzzzzz`),
  'audit log': inFlight(40, 'bearer', `${ORGANIZATION}/audit-log?action=account.deleted`),
  'replays to 500 destinations': paced(14, 'key', `${PROJECT}/incoming-events/{fanOutEventId}/replay`, '{}'),
  'rotations of one secret': inFlight(60, 'key', `${PROJECT}/endpoints/{endpointId}/rotate-secret`, ''),
  'details of incoming events': inFlight(8, 'readKey', '{largeIncomingEvent}'),
  'details of incoming events without compression': inFlight(8, 'key', '{largeIncomingEvent}', undefined, () => ({
    'Accept-Encoding': 'identity',
  })),
  'details of incoming events to a person': inFlight(32, 'bearer', '{largeIncomingEvent}'),
  'details of attempts': inFlight(8, 'readKey', '{largeAttempt}'),
  'details of events': inFlight(8, 'readKey', '{largeEvent}'),
  'large bodies to 100 sources': inFlight(200, 'none', '{ingressPath}', LARGE_BODY),
  'documentation pages': paced(40, 'none', '/docs/guides/retries'),
  metrics: paced(100, 'none', '/metrics'),
  'previews of invitations': paced(100, 'none', '/api/v1/auth/accept-invitation/preview', '{"token":"none"}'),
  'password resets from 50 networks': inFlight(
    150,
    'none',
    '/api/v1/auth/forgot-password',
    '{"email":"nobody@example.com"}',
    (index) => ({ 'X-Forwarded-For': `192.0.2.${index % 50}` }),
  ),
  'wrong passwords from 2,000 networks': (attacker, end, count) =>
    atPace(200, end - performance.now(), (index) => request(attacker, WRONG_PASSWORDS, index, count)),
  'cheap requests of 100 connections': floods(100, 1, 'GET /api/health/live'),
  'documents on 100 pipelined connections': floods(100, 32, 'GET /docs/guides/retries'),
  'unknown sources on 100 pipelined connections': floods(100, 32, `POST /api/v1/ingress/${'x'.repeat(43)}`),
  'events on 20 pipelined connections': pipelinedEvents,
  'upgrades on 20 pipelined connections': floods(20, 32, 'GET /api/v1/nothing', UPGRADE),
  'request targets with long hosts': floods(8, 1, `GET http://${LONG_HOST}/api/health/live`),
  'pages with long user agents': floods(8, 1, 'GET /login', `User-Agent: ${'a'.repeat(30_000)}\r\n`),
  'addresses with long domains': inFlight(
    32,
    'none',
    '/api/v1/auth/forgot-password',
    JSON.stringify({ email: `a@${LETTERS}` }),
  ),
  'requests that tunnels hold': holdRequests,
  'frames after the close of a tunnel': framesAfterClose,
  'large heads through a tunnel': largeHeads,
  'an endless body through a tunnel': endlessBodies,
  'events of nested JSON': inFlight(32, 'key', EVENTS, nestedEvent(60 * KIB)),
  'large events of nested JSON': inFlight(32, 'key', EVENTS, nestedEvent(250 * KIB)),
  'repeats of an event in another spelling': inFlight(
    32,
    'key',
    EVENTS,
    (index) => eventOf(`${' '.repeat(index % 2)}${LONG_ARRAY}`),
    () => ({ 'Idempotency-Key': 'the-same' }),
  ),
  'JSON with invented keys': inFlight(64, 'invented', EVENTS, nestedEvent(1_900)),
  'large bodies with invented keys': inFlight(64, 'invented', EVENTS, 'x'.repeat(300 * KIB)),
  'thousands of query parameters': inFlight(32, 'key', `${PROJECT}/events?${MANY_PARAMETERS}`),
  'responses that nobody reads': unreadResponses,
  'bodies that end together': bodiesThatEndTogether,
  'pages that are given up': givenUp('/login', 20),
  'small pages to four owners': readByOthers(16, 'deliveries?limit=20'),
  'large pages of customers to four owners': readByOthers(16, 'customers?limit=100'),
  'large pages of endpoints to four owners': readByOthers(16, 'endpoints?limit=100', 'endpoints?limit=100&sort=-p95'),
  'large pages of destinations to four owners': readByOthers(16, 'sources/{sourceId}/destinations?limit=100'),
  'large pages of deliveries to four owners': readByOthers(16, 'deliveries?limit=100', 'events?limit=100'),
};

/** Keeps `connections` connections that send bodies in chunks of one byte, and opens another for each that the server ends. */
function tinyChunks(connections: number, template: string): Attack {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  return async (attacker, end, count) => {
    const head = `POST ${pathOf(template, attacker, 0)} HTTP/1.1\r\nHost: 127.0.0.1\r\n${FROM}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const send = () =>
      new Promise<void>((resolve) => {
        const socket = connect(attacker.port, '127.0.0.1');
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
        socket.once('data', (bytes) => count(statusOf(bytes)));
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

/** Requests on new connections, 16 at a time, which the client closes after `afterMs`. */
function givenUp(path: string, afterMs: number): Attack {
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${FROM}\r\n\r\n`;
  return (attacker, end, count) =>
    repeat(16, end, async () => {
      const socket = connect(attacker.port, '127.0.0.1', () => socket.write(head));
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => count(statusOf(bytes)));
      await sleep(afterMs);
      socket.destroy();
      count('given up');
    });
}

/** Requests of many connections of one network, some of each at a time, as fast as they are answered. */
function floods(connections: number, atOnce: number, line: string, headers = '', body = ''): Attack {
  const request = `${line} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n${FROM}\r\n\r\n${body}`;
  return async ({ port }, end, count) => {
    const flood = async () => {
      while (performance.now() < end) {
        const socket = connect(port, '127.0.0.1').on('error', () => count('reset'));
        const timer = setTimeout(() => socket.destroy(), end - performance.now());
        socket.write(request.repeat(atOnce));
        let rest = '';
        socket.on('data', (chunk) => {
          const text = rest + chunk.toString('latin1');
          const answers = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
          // A chunk may end within a status line, which has 12 characters until the status ends.
          rest = text.slice(-11);
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

/** Ordinary events of one key. */
function pipelinedEvents(attacker: Attacker, end: number, count: Count): Promise<unknown> {
  const body = eventOf('42');
  const headers = `X-API-Key: ${attacker.key}\r\nContent-Type: application/json\r\n`;
  return floods(20, 32, `POST ${EVENTS}`, headers, body)(attacker, end, count);
}

const statusOf = (bytes: Buffer) => Number(bytes.toString('latin1').slice(9, 12));

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
  const first = LARGE_BODY.subarray(0, 66 * KIB);
  const rest = LARGE_BODY.subarray(66 * KIB);
  while (performance.now() < end) {
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const path = pathOf('{ingressPath}', attacker, index);
      const socket = connect(attacker.port, '127.0.0.1').on('error', () => count('reset'));
      socket.once('data', (bytes) => count(statusOf(bytes)));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${FROM}\r\nContent-Length: ${LARGE_BODY.length}\r\n\r\n`,
      );
      socket.write(first);
      return socket;
    });
    await sleep(2_000);
    for (const socket of sockets) socket.write(rest);
    await sleep(3_000);
    for (const socket of sockets) socket.destroy();
  }
}

/** Requests of strangers to the tunnels in turn, which wait for responses until the end. */
function visit(requests: number, attacker: Attacker, end: number, count: Count): Promise<void> {
  let index = 0;
  const visits: Requests = { credential: 'none', paths: '{tunnelPath}/x' };
  return repeat(requests, end, () => request(attacker, visits, index++, count, end - performance.now()));
}

/** A client for each tunnel, and 2,000 requests that its server never answers. */
function holdRequests(attacker: Attacker, end: number, count: Count): Promise<void> {
  const silent = createServer(() => undefined);
  return withTunnels(attacker, silent, attacker.tunnelIds, () => visit(2_000, attacker, end, count));
}

/** Connects tunnels to a local server while `work` runs. */
async function withTunnels(
  attacker: Attacker,
  local: Server,
  tunnelIds: string[],
  work: () => Promise<unknown>,
): Promise<void> {
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
  await work();
  local.closeAllConnections();
  local.close();
  await Promise.allSettled(handles.map((handle) => handle.close()));
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
    const socket = await connectTo(tunnelId, attacker);
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
  await Promise.all([...clients, visit(100, attacker, end, count)]);
}

function connectTo(tunnelId: string, { port, projectId, bearer }: Attacker): ReturnType<typeof connectClient> {
  return connectClient({
    url: new URL(`/api/v1/projects/${projectId}/tunnels/${tunnelId}/connect?takeover=true`, `ws://127.0.0.1:${port}`),
    authorization: `Bearer ${bearer}`,
    clientSecret: tunnelId,
    userAgent: 'attacker',
    env: {},
  });
}

/** Closes ten connections of tunnels a second, by a close frame or an invalid message, and keeps sending empty frames on them. */
async function framesAfterClose(attacker: Attacker, end: number, count: Count): Promise<void> {
  const frames = Buffer.alloc(600 * KIB, Buffer.from([0x82, 0x80, 0, 0, 0, 0]));
  await atPace(10, end - performance.now(), async (index) => {
    const client = await connectTo(attacker.tunnelIds[index % attacker.tunnelIds.length] ?? '', attacker).catch(
      () => null,
    );
    count(client === null ? 'refused' : 'connected');
    if (client === null) return;
    // `ws` sends nothing after its close frame, so the frames are written to the socket below it.
    const { _socket: socket } = client as unknown as { _socket: Socket };
    client.on('error', () => undefined);
    if (index % 2 === 0) client.close();
    else client.send('text');
    for (let sent = 0; sent < 100 && !socket.destroyed && performance.now() < end; sent += 1) {
      if (!socket.write(frames)) await Promise.race([once(socket, 'drain').catch(() => undefined), sleep(3_000)]);
    }
    client.terminate();
  });
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
      const response = await fetch(`http://127.0.0.1:${attacker.port}${attacker.tunnelPaths[index % 2]}/x`, { signal });
      for await (const bytes of response.body ?? []) countBytes(bytes.length);
      count(response.status);
    } catch {
      await sleep(50);
    }
  };
  const uploads: Requests = {
    credential: 'none',
    paths: `${attacker.tunnelPaths[0]}/x`,
    body: new Uint8Array(10_000_000),
  };
  await withTunnels(attacker, local, attacker.tunnelIds.slice(0, 2), () =>
    Promise.all([
      ...Array.from({ length: 4 }, (_, index) => repeat(1, end, () => download(index))),
      repeat(2, end, () => request(attacker, uploads, 0, count, end - performance.now())),
    ]),
  );
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
