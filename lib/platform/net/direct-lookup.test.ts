import { createSocket } from 'node:dgram';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lookUpDirectly } from './direct-lookup';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** What a name server says to a question: an address, a response code, or nothing. */
type Verdict = Buffer | number | null;
const ADDRESS = Buffer.from([1, 2, 3, 4]);
const FOUND = [{ address: '1.2.3.4', family: 4 }];
const REFUSED = 5;
const TRUNCATED = 0x0200;

/** A name server on a free port of this machine. `change` changes an answer in place, or returns another. */
async function startNameServer(
  verdictOf: (type: number) => Verdict,
  change: (answer: Buffer) => unknown = () => undefined,
) {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (question, { port, address }) => {
    questions += 1;
    const typeAt = question.indexOf(0, 12) + 1;
    const verdict = verdictOf(question.readUInt16BE(typeAt));
    if (verdict === null) return;
    const answer = answerTo(question.subarray(0, typeAt + 4), verdict);
    const changed = change(answer);
    socket.send(Buffer.isBuffer(changed) ? changed : answer, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], questions: () => questions };
}

/** A message of RFC 1035: the question again, and an address record whose name points to it. */
function answerTo(question: Buffer, verdict: Buffer | number): Buffer {
  const header = Buffer.from(question);
  const code = typeof verdict === 'number' ? verdict : 0;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(code === 0 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  if (typeof verdict === 'number') return header;
  const record = Buffer.from([0xc0, 12, 0, verdict.length === 4 ? A : AAAA, 0, 1, 0, 0, 0, 60, 0, verdict.length]);
  return Buffer.concat([header, record, verdict]);
}

describe('a direct DNS lookup', () => {
  it('returns the addresses of both families', async () => {
    const v6 = Buffer.alloc(16);
    v6[15] = 1;
    const { servers } = await startNameServer((type) => (type === A ? ADDRESS : v6));
    expect(await lookUpDirectly('a.example', undefined, servers)).toEqual([
      { address: '1.2.3.4', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it.each<[string, (answer: Buffer) => unknown]>([
    ['says that it was cut off', (answer) => answer.writeUInt16BE(answer.readUInt16BE(2) | TRUNCATED, 2)],
    ['does not fit into a datagram', (answer) => Buffer.concat([answer, Buffer.alloc(1_233 - answer.length)])],
  ])('leaves an answer that %s to the system', async (_, change) => {
    const { servers } = await startNameServer(() => ADDRESS, change);
    await expect(lookUpDirectly('a.example', undefined, servers)).rejects.toMatchObject({ code: 'ETRUNCATED' });
  });

  it('asks the next server when one is silent, refuses or is not there', async () => {
    const silent = await startNameServer(() => null);
    const refusing = await startNameServer(() => REFUSED);
    const answering = await startNameServer((type) => (type === A ? ADDRESS : NXDOMAIN));
    const servers = [silent, refusing, { servers: ['127.0.0.1:9'] }, answering].flatMap((each) => each.servers);
    expect(await lookUpDirectly('a.example', undefined, servers)).toEqual(FOUND);
  });

  it('waits for the answer with its own number, and takes no answer to another question', async () => {
    const forged = (answer: Buffer) => answer.writeUInt16BE((answer.readUInt16BE(0) + 1) % 0x10000, 0);
    const { servers } = await startNameServer(() => ADDRESS, forged);
    await expect(lookUpDirectly('a.example', undefined, servers)).rejects.toMatchObject({ code: 'ETIMEOUT' });
    const ofOther = (answer: Buffer) => answer.write('b', 13);
    const other = await startNameServer(() => ADDRESS, ofOther);
    await expect(lookUpDirectly('a.example', undefined, other.servers)).rejects.toMatchObject({ code: 'EBADRESP' });
  });

  it.each(['a..example', `${'a'.repeat(64)}.example`, `${'a.'.repeat(124)}example`])(
    'asks nobody for a name that DNS cannot have: %s',
    async (name) => {
      const { servers, questions } = await startNameServer(() => ADDRESS);
      await expect(lookUpDirectly(name, undefined, servers)).rejects.toMatchObject({ code: 'ENOTFOUND' });
      expect(questions()).toBe(0);
    },
  );

  it('does not wait for a family without a response', async () => {
    const { servers } = await startNameServer((type) => (type === A ? ADDRESS : null));
    const found = await lookUpDirectly('a.example', undefined, servers);
    expect(found).toEqual(FOUND);
  });

  it('fails with the reason when a name does not exist', async () => {
    const { servers } = await startNameServer(() => NXDOMAIN);
    const lookup = lookUpDirectly('a.example', undefined, servers);
    await expect(lookup).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('fails with a timeout when a server stays silent for one family and denies the other', async () => {
    const { servers } = await startNameServer((type) => (type === A ? NXDOMAIN : null));
    const lookup = lookUpDirectly('a.example', undefined, servers);
    await expect(lookup).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('ends when its caller aborts, long before the timeout', async () => {
    const { servers, questions } = await startNameServer(() => null);
    const connection = new AbortController();
    const lookup = lookUpDirectly('a.example', connection.signal, servers);
    await expect.poll(questions).toBe(2);
    connection.abort();
    await expect(lookup).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});
