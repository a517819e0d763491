import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode, RECURSION_DESIRED } from 'dns-packet';

/** How long an IPv4 response waits for the IPv6 one. */
const SECOND_FAMILY_WAIT_MS = 100;
/** After this time of silence the next server is asked. Each is asked twice. */
const ANSWER_MS = 1_000;
const ROUNDS = 2;
/** A datagram of this size passes every network: https://www.dnsflagday.net/2020/. */
const MAX_ANSWER_BYTES = 1_232;
/** RFC 1035, section 2.3.4. */
const MAX_LABEL = 63;
const MAX_NAME = 253;

type Family = 'A' | 'AAAA';

/**
 * Queries DNS for all addresses of a name. Answers are read from datagrams only: an answer over TCP has up to 64 KiB, and reading one
 * takes 20 to 130 ms of the main thread. Who needs the addresses of a longer answer asks the operating system.
 * @param signal ends it at once
 * @param servers in place of the system's; `address:port` each
 * @throws an error with a DNS code; ETIMEOUT when a server was silent and no other had an address, ETRUNCATED when there are more addresses
 *   than a datagram has room for
 */
export async function lookUpDirectly(
  hostname: string,
  signal?: AbortSignal,
  servers: readonly string[] = new Resolver().getServers(),
): Promise<LookupAddress[]> {
  if (!isDnsName(hostname)) throw dnsError('ENOTFOUND');
  const ended = new AbortController();
  const asking = {
    hostname,
    servers,
    signal: AbortSignal.any(signal === undefined ? [ended.signal] : [signal, ended.signal]),
  };
  const faults: NodeJS.ErrnoException[] = [];
  const note = (fault: NodeJS.ErrnoException): string[] => {
    faults.push(fault);
    return [];
  };
  try {
    const v6 = askServers('AAAA', asking).catch(note);
    const v4 = await askServers('A', asking).catch(note);
    // A name server that never answers AAAA must not prevent a connection over IPv4.
    const others =
      v4.length > 0 ? await Promise.race([v6, sleep(SECOND_FAMILY_WAIT_MS, [], { ref: false })]) : await v6;
    if (v4.length === 0 && others.length === 0) throw faults.find(({ code }) => code === 'ETIMEOUT') ?? faults[0];
    return [...v4.map((address) => ({ address, family: 4 })), ...others.map((address) => ({ address, family: 6 }))];
  } finally {
    ended.abort();
  }
}

const isDnsName = (hostname: string) =>
  hostname.length <= MAX_NAME &&
  hostname
    .replace(/\.$/, '')
    .split('.')
    .every((label) => label.length > 0 && label.length <= MAX_LABEL);

interface Asking {
  hostname: string;
  servers: readonly string[];
  signal: AbortSignal;
}

/** What one server says is what all say. */
const FINAL: readonly string[] = ['ENOTFOUND', 'ENODATA', 'ETRUNCATED', 'ECANCELLED'];

/** Asks one server after the other. @returns at least one address */
async function askServers(family: Family, { hostname, servers, signal }: Asking): Promise<string[]> {
  let fault = dnsError('ECONNREFUSED');
  for (const server of Array.from({ length: ROUNDS }, () => servers).flat()) {
    try {
      return await askServer(server, { hostname, family }, signal);
    } catch (error) {
      const found = error as NodeJS.ErrnoException;
      if (FINAL.includes(found.code ?? '')) throw found;
      if (fault.code !== 'ETIMEOUT') fault = found;
    }
  }
  throw fault;
}

/** Asks from a port of its own, with a number that cannot be guessed: together they keep forged answers out. */
function askServer(
  server: string,
  { hostname, family }: { hostname: string; family: Family },
  signal: AbortSignal,
): Promise<string[]> {
  const { address, port } = parseServer(server);
  const id = randomInt(0x10000);
  const question = encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ type: family, name: hostname }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: MAX_ANSWER_BYTES,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(dnsError('ECANCELLED'));
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.close();
      settle();
    };
    const fail = (code: string) => end(() => reject(dnsError(code)));
    const cancel = () => fail('ECANCELLED');
    const timer = setTimeout(() => fail('ETIMEOUT'), ANSWER_MS);
    signal.addEventListener('abort', cancel, { once: true });
    socket.once('error', () => fail('ECONNREFUSED'));
    socket.on('message', (message) => {
      if (message.length < 2 || message.readUInt16BE(0) !== id) return;
      try {
        const addresses = readAnswer(message, { hostname, family });
        end(() => resolve(addresses));
      } catch (error) {
        fail((error as NodeJS.ErrnoException).code ?? 'EBADRESP');
      }
    });
    // Connected, it takes messages of the server only.
    socket.once('connect', () => socket.send(question));
    socket.connect(port, address);
  });
}

/** By response code: RFC 1035, section 4.1.1. */
const CODES: Record<number, string> = { 2: 'ESERVFAIL', 3: 'ENOTFOUND', 5: 'EREFUSED' };

/** @returns at least one address @throws an error with a DNS code, or of the decoder */
function readAnswer(message: Buffer, { hostname, family }: { hostname: string; family: Family }): string[] {
  if (message.length > MAX_ANSWER_BYTES) throw dnsError('ETRUNCATED');
  const { questions, answers = [], flags = 0, flag_tc: isTruncated, flag_qr: isAnswer } = decode(message);
  const [asked] = questions ?? [];
  if (!isAnswer || asked?.type !== family || asked.name.toLowerCase() !== hostname.toLowerCase().replace(/\.$/, '')) {
    throw dnsError('EBADRESP');
  }
  if (isTruncated) throw dnsError('ETRUNCATED');
  const responseCode = flags & 0xf;
  if (responseCode !== 0) throw dnsError(CODES[responseCode] ?? 'EBADRESP');
  const addresses = answers.flatMap((answer) => (answer.type === family ? [answer.data] : []));
  if (addresses.length === 0) throw dnsError('ENODATA');
  return addresses;
}

/** Reads `address`, `address:port` or `[address]:port`. */
function parseServer(server: string): { address: string; port: number } {
  if (isIP(server) !== 0) return { address: server, port: 53 };
  const colon = server.lastIndexOf(':');
  return { address: server.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(server.slice(colon + 1)) };
}

const dnsError = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`DNS lookup failed: ${code}`), { code });
