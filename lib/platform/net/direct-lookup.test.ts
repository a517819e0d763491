import { createSocket } from 'node:dgram';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lookUpDirectly } from './resolve-host';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** What a name server says to a question: an address, a response code, or nothing. */
type Verdict = Buffer | number | null;

/** A name server on a free port of this machine. */
async function startNameServer(verdictOf: (type: number) => Verdict) {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (question, { port, address }) => {
    questions += 1;
    const typeAt = question.indexOf(0, 12) + 1;
    const verdict = verdictOf(question.readUInt16BE(typeAt));
    if (verdict !== null) socket.send(answerTo(question.subarray(0, typeAt + 4), verdict), port, address);
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
    const { servers } = await startNameServer((type) => (type === A ? Buffer.from([1, 2, 3, 4]) : v6));
    expect(await lookUpDirectly('a.example', undefined, undefined, servers)).toEqual([
      { address: '1.2.3.4', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('does not wait for a family without a response', async () => {
    const { servers } = await startNameServer((type) => (type === A ? Buffer.from([1, 2, 3, 4]) : null));
    const found = await lookUpDirectly('a.example', undefined, undefined, servers);
    expect(found).toEqual([{ address: '1.2.3.4', family: 4 }]);
  });

  it('fails with the reason when a name does not exist', async () => {
    const { servers } = await startNameServer(() => NXDOMAIN);
    const lookup = lookUpDirectly('a.example', undefined, undefined, servers);
    await expect(lookup).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('fails with a timeout when a server stays silent for one family and denies the other', async () => {
    const { servers } = await startNameServer((type) => (type === A ? NXDOMAIN : null));
    const lookup = lookUpDirectly('a.example', undefined, undefined, servers);
    await expect(lookup).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('ends when its caller aborts, long before the timeout', async () => {
    const { servers, questions } = await startNameServer(() => null);
    const connection = new AbortController();
    const lookup = lookUpDirectly('a.example', undefined, connection.signal, servers);
    await expect.poll(questions).toBe(2);
    connection.abort();
    await expect(lookup).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});
