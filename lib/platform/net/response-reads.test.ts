import { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { MAX_HEAD_LINES, MAX_RESPONSE_BYTES, PIECE_BYTES, ResponseReads } from './response-reads';

type Turns = ConstructorParameters<typeof ResponseReads>[1];

/** Takes so many milliseconds of the processor. */
function work(ms: number): void {
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < ms * 1_000);
}

/** A connection that has read some bytes, and then perhaps ends. */
function connect(bytes: number, { ends = true, turns }: { ends?: boolean; turns?: Partial<Turns> } = {}) {
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(), highWaterMark: 2 * bytes });
  const counted: number[] = [];
  const reads = new ResponseReads(stream, {
    enter: ({ resume }) => resume(),
    count: (ms) => void counted.push(ms),
    ...turns,
  });
  stream.push(Buffer.alloc(bytes, 'x'));
  if (ends) stream.push(null);
  return { stream, reads, counted };
}

function readAll(stream: Duplex): number[] {
  const sizes: number[] = [];
  for (let piece = stream.read() as Buffer | null; piece !== null; piece = stream.read()) sizes.push(piece.length);
  return sizes;
}

describe('a response', () => {
  it('is read in pieces up to its end', async () => {
    const { stream } = connect(2.5 * PIECE_BYTES);
    const ended = new Promise((resolve) => stream.once('end', resolve));
    expect(readAll(stream)).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES / 2]);
    await ended;
  });

  it('loses nothing when Node looks for more', () => {
    const { stream } = connect(2 * PIECE_BYTES, { ends: false });
    stream.read(0);
    expect(readAll(stream)).toEqual([PIECE_BYTES, PIECE_BYTES]);
    expect(stream.read()).toBeNull();
  });

  it('is not read once its connection is destroyed', () => {
    const { stream } = connect(3 * PIECE_BYTES, { ends: false });
    stream.read();
    stream.destroy();
    expect(stream.read()).toBeNull();
  });

  it('waits for a turn for each piece but the first', () => {
    const waiting: (() => void)[] = [];
    const { stream, reads } = connect(4 * PIECE_BYTES, {
      ends: false,
      turns: { enter: ({ resume }) => void waiting.push(resume) },
    });
    const sizes: number[] = [];
    stream.on('readable', () => sizes.push(...readAll(stream)));
    expect(readAll(stream)).toEqual([PIECE_BYTES]);
    expect(readAll(stream)).toEqual([]);
    expect(waiting).toHaveLength(1);
    waiting.shift()?.();
    expect([sizes.length, waiting.length]).toEqual([1, 1]);
    reads.allow();
    expect(readAll(stream)).toEqual([PIECE_BYTES]);
  });

  it('counts for its tenant what is done with each piece but the first', () => {
    const { stream, counted } = connect(3 * PIECE_BYTES, { ends: false });
    while (stream.read() !== null) work(5);
    expect(counted).toHaveLength(2);
    expect(counted.every((ms) => ms >= 4)).toBe(true);
  });

  it('asks the kernel once for the processor time of pieces that are read one right after the other', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const asks = vi.spyOn(process, 'cpuUsage');
    const { stream, counted } = connect(100 * PIECE_BYTES, { ends: false });
    readAll(stream);
    expect(counted).toHaveLength(99);
    expect(asks).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1);
    stream.push(Buffer.alloc(PIECE_BYTES));
    readAll(stream);
    expect(asks).toHaveBeenCalledTimes(2);
    asks.mockRestore();
    vi.useRealTimers();
  });

  it('has at most 512 lines before its body, and any number in it', async () => {
    const lines = (count: number) => Buffer.alloc(2 * count, 'x\n');
    const send = (reads: { stream: Duplex; reads: ResponseReads }) => {
      const failed = new Promise((resolve) => reads.stream.once('error', resolve));
      reads.stream.push(lines(MAX_HEAD_LINES * 3));
      return failed;
    };
    const evil = connect(0, { ends: false });
    const error = send(evil);
    expect(readAll(evil.stream)).toHaveLength(2);
    expect(String(await error)).toContain('TOO_MANY_HEADERS');
    const good = connect(0, { ends: false });
    void send(good);
    good.stream.read();
    good.reads.endHead();
    expect(readAll(good.stream)).toHaveLength(2);
    good.reads.allow();
    good.stream.push(lines(MAX_HEAD_LINES));
    good.reads.endHead();
    good.stream.push(lines(1));
    expect(readAll(good.stream)).toHaveLength(2);
  });

  it('ends its connection once it is too large; the next response starts from zero', async () => {
    const { stream, reads } = connect(2 * MAX_RESPONSE_BYTES + PIECE_BYTES, { ends: false });
    const error = new Promise((resolve) => stream.once('error', resolve));
    for (let read = 0; read < MAX_RESPONSE_BYTES; read += PIECE_BYTES) stream.read();
    reads.allow();
    expect(readAll(stream)).toHaveLength(MAX_RESPONSE_BYTES / PIECE_BYTES);
    expect(String(await error)).toContain('INVALID_RESPONSE');
  });
});
