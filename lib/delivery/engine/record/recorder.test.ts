import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '@/lib/delivery/engine/types';
import { ATTEMPT_RESULTS } from '@/lib/delivery/worker-counters';
import { setOnce } from '@/lib/platform/globals';
import { describeFailure, ExchangeError } from '@/lib/platform/net/failure-reason';
import { FAILURE, SUCCESS } from '@/tests/delivery/outcomes';
import { resultLabelOf } from './record-outcomes';
import { Recorder, type RecorderOptions } from './recorder';

setOnce('log', { warn() {}, error() {} });

const outcome = (id: string, responseBody = '') =>
  ({ job: { deliveryId: id }, result: { ...SUCCESS, responseBody } }) as Outcome;
const idsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ job }) => job.deliveryId);

function makeRecorder(write: RecorderOptions['write'], isDatabaseReachable = true) {
  const gone: string[] = [];
  const refused: string[] = [];
  const recorder = new Recorder({
    write,
    isDatabaseReachable: async () => isDatabaseReachable,
    onSettled: (outcomes) => gone.push(...idsOf(outcomes)),
    onRejected: async (one) => void refused.push(...idsOf([one])),
  });
  return { recorder, gone, refused };
}

describe('results', () => {
  it('that arrive together are written together', async () => {
    const batches: string[][] = [];
    const { recorder, gone } = makeRecorder(async (outcomes) => void batches.push(idsOf(outcomes)));
    for (const id of ['a', 'b', 'c']) recorder.add(outcome(id));
    expect(await recorder.close(30_000)).toBe(0);
    expect(batches).toEqual([['a', 'b', 'c']]);
    expect(gone).toEqual(['a', 'b', 'c']);
  });

  it('of first attempts are written apart from others, which lock deliveries that replays lock too', async () => {
    const batches: string[][] = [];
    const { recorder, gone } = makeRecorder(async (outcomes) => void batches.push(idsOf(outcomes)));
    const stored = (id: string) => ({ ...outcome(id), job: { deliveryId: id, entry: null } }) as Outcome;
    for (const each of [stored('d'), outcome('a'), stored('c'), outcome('b')]) recorder.add(each);
    expect(await recorder.close(30_000)).toBe(0);
    expect(batches).toEqual([
      ['a', 'b'],
      ['d', 'c'],
    ]);
    expect(gone).toEqual(['d', 'a', 'c', 'b']);
  });

  it('gather while others are being written', async () => {
    const sizes: number[] = [];
    const { recorder } = makeRecorder(async (outcomes) => {
      sizes.push(outcomes.length);
      await sleep(20);
    });
    for (let index = 0; index < 1_000; index += 1) recorder.add(outcome(String(index)));
    expect(await recorder.close(30_000)).toBe(0);
    expect(sizes).toEqual([400, 400, 200]);
  });

  it('are written together up to a million characters of responses, so that writing them keeps the thread for milliseconds', async () => {
    const batches: string[][] = [];
    const { recorder } = makeRecorder(async (outcomes) => void batches.push(idsOf(outcomes)));
    recorder.add(outcome('a', 'x'.repeat(900_000)));
    recorder.add(outcome('b', 'x'));
    recorder.add(outcome('c', 'x'.repeat(1_000_001)));
    recorder.add(outcome('d'));
    expect(await recorder.close(30_000)).toBe(0);
    expect(batches).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('are kept and tried again while the database is unreachable', async () => {
    let failures = 3;
    const written: string[] = [];
    const { recorder } = makeRecorder(async (outcomes) => {
      if (failures-- > 0) throw new Error('Connection terminated unexpectedly');
      written.push(...idsOf(outcomes));
    }, false);
    recorder.add(outcome('a'));
    await sleep(20);
    recorder.add(outcome('b'));
    expect(await recorder.close(5_000)).toBe(0);
    expect(written).toEqual(['a', 'b']);
  });

  it('that the database rejects are reported and do not fail the others', async () => {
    const written: string[] = [];
    const { recorder, gone, refused } = makeRecorder(async (outcomes) => {
      if (idsOf(outcomes).includes('bad')) throw Object.assign(new Error('invalid text'), { code: '22021' });
      written.push(...idsOf(outcomes));
    });
    for (const id of ['a', 'bad', 'b']) recorder.add(outcome(id));
    expect(await recorder.close(30_000)).toBe(0);
    expect(written).toEqual(['a', 'b']);
    expect(gone).toEqual(['a', 'bad', 'b']);
    expect(refused).toEqual(['bad']);
  });

  it('that always fail on a database that answers do not block the others', async () => {
    const written: string[] = [];
    const { recorder } = makeRecorder(async (outcomes) => {
      if (idsOf(outcomes).includes('bad')) throw new Error('bug');
      written.push(...idsOf(outcomes));
    });
    for (const id of ['bad', 'a']) recorder.add(outcome(id));
    expect(await recorder.close(60_000)).toBe(0);
    expect(written).toEqual(['a']);
  });

  it('that all fail on a database that answers share the tries that follow those of their batch', async () => {
    let writes = 0;
    const { recorder, refused } = makeRecorder(async () => {
      writes += 1;
      throw new Error('bug');
    });
    for (const id of ['a', 'b', 'c']) recorder.add(outcome(id));
    expect(await recorder.close(60_000)).toBe(0);
    expect(refused).toEqual(['a', 'b', 'c']);
    // Five of the batch, five of the first result, and one of each other.
    expect(writes).toBe(12);
  });

  it('are limited in number', async () => {
    const { recorder } = makeRecorder(() => new Promise(() => undefined));
    for (let index = 0; index < 1_999; index += 1) recorder.add(outcome(String(index)));
    expect(recorder.hasRoom).toBe(true);
    recorder.add(outcome('last'));
    expect(recorder.hasRoom).toBe(false);
    expect(await recorder.close(10)).toBe(2_000);
  });
});

const failed = (responseStatus: number | null, error = `Answered with status ${responseStatus}`) =>
  resultLabelOf({ ...FAILURE, responseStatus, error });
const without = (code: string) => failed(null, describeFailure({ code }));

describe('the result of an attempt', () => {
  it.each([
    [301, 'redirect'],
    [404, 'client_error'],
    [410, 'client_error'],
    [429, 'client_error'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('is the class of status %i', (status, label) => {
    expect(failed(status)).toBe(label);
  });

  it.each([
    ['ENOTFOUND', 'dns'],
    ['LOOKUP_TIMEOUT', 'dns'],
    ['SEMAPHORE_FULL', 'dns'],
    ['CONNECT_TIMEOUT', 'timed_out'],
    ['ECONNREFUSED', 'connection'],
    ['ECONNRESET', 'connection'],
    ['EHOSTUNREACH', 'connection'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['UND_ERR_RESPONSE', 'invalid_response'],
    ['SOMETHING_NEW', 'connection'],
  ])('is the class of error %s without a status', (code, label) => {
    expect(without(code)).toBe(label);
  });

  it('is a success, a timeout after the head, a cut response, a refused address, or nothing sent', () => {
    expect(resultLabelOf(SUCCESS)).toBe('succeeded');
    expect(failed(200, describeFailure(new ExchangeError('RESPONSE_TIMEOUT')))).toBe('timed_out');
    expect(failed(200, 'Connection closed before the response was complete')).toBe('connection');
    expect(failed(null, describeFailure(new ExchangeError('ADDRESS_REFUSED')))).toBe('address_refused');
    expect(resultLabelOf({ ...FAILURE, responseStatus: null, requestParts: null })).toBe('not_sent');
  });

  it('is always one of those that start at 0, so a rate misses none', () => {
    for (const status of [null, 100, 200, 302, 418, 599]) expect(ATTEMPT_RESULTS).toContain(failed(status));
  });
});
