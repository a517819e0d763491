import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/clock';
import { newId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { setTestConfig, testVariables } from '@/tests/setup/variables';
import { OWNER_HEADER, ownerHeader, provenOwnerOf } from './owner-header';
import { isInternalHeader } from './via';

const OWNER = newId();
const PATH = '/t/Nf3_kQ2-ZxW8vB1nM4cL7sD0gH5jK9pR/hook?a=b';
const NOW = Date.UTC(2026, 10, 20, 12, 0, 30);

describe('the owner of a request to a tunnel', () => {
  beforeAll(() => void setTestConfig());
  const made = (path = PATH, atMs = NOW) => ownerHeader(path, { ownerId: OWNER }, atMs)[OWNER_HEADER] ?? '';
  const ofCustomers = () => ownerHeader(PATH, { ownerId: OWNER, isOfCustomer: true }, NOW)[OWNER_HEADER] ?? '';
  const readFully = (value: string | string[] | undefined, url = PATH, nowMs = NOW) =>
    provenOwnerOf({ headers: value === undefined ? {} : { [OWNER_HEADER]: value }, url }, nowMs);
  const read = (...given: Parameters<typeof readFully>) => readFully(...given)?.ownerId ?? null;

  it('is the one that this deployment has named', () => {
    expect(readFully(made())).toEqual({ ownerId: OWNER, isOfCustomer: false });
  });

  it('is told apart from its customers, and neither header proves the other', () => {
    expect(readFully(ofCustomers())).toEqual({ ownerId: OWNER, isOfCustomer: true });
    expect(read(ofCustomers().replace('~customers', ''))).toBeNull();
    expect(read(made().replace(OWNER, `${OWNER}~customers`))).toBeNull();
  });

  it('is the same at every path of the tunnel, and at the tunnels of no other name', () => {
    const [, , token] = PATH.split('/');
    expect([`/t/${token}`, `/t/${token}?x`, `/t/${token}/other`].map((url) => read(made(), url))).toEqual(
      Array(3).fill(OWNER),
    );
    for (const url of ['/t/another', `/t/${token}x/`, '/api/v1/events', '/', `/T/${token}/`]) {
      expect(read(made(), url)).toBeNull();
    }
  });

  it('is unknown some minutes before and after the header was made', () => {
    const at = (minutes: number) => read(made(), PATH, NOW + minutes * MINUTE_MS);
    expect([-3, -1, 0, 1, 3].map(at)).toEqual(Array(5).fill(OWNER));
    expect([-4, 4, 60].map(at)).toEqual([null, null, null]);
  });

  it('is unknown when any part of the header is changed, missing or repeated', () => {
    const value = made();
    const [, minute, proof] = value.split('.');
    const last = value.endsWith('A') ? 'B' : 'A';
    const forged = [
      undefined,
      '',
      OWNER,
      `${OWNER}.${minute}`,
      `${newId()}.${minute}.${proof}`,
      `${OWNER}.${Number(minute) + 1}.${proof}`,
      value.slice(0, -1) + last,
      `${value}A`,
      `${value}, ${value}`,
      [value, value],
      `${OWNER.toUpperCase()}.${minute}.${proof}`,
      `${OWNER}.0${minute}.${keyedHash(`${OWNER} ${minute}`, 'via').toString('base64url').slice(0, 22)}`,
      'x'.repeat(30_000),
    ];
    expect(forged.map((each) => read(each))).toEqual(forged.map(() => null));
  });

  it('is not named where it has no id', () => {
    expect(['', 'p', 'a b', `${OWNER}\r\nx: y`].map((id) => ownerHeader(PATH, { ownerId: id }))).toEqual([
      {},
      {},
      {},
      {},
    ]);
  });

  it('is proven by the oldest key, so that a rotation changes nothing, and by no other deployment', () => {
    const [oldest, next] = [testVariables(), testVariables()].map(({ ENCRYPTION_KEY = '' }) => ENCRYPTION_KEY);
    setTestConfig({ ENCRYPTION_KEY: `${oldest}` });
    const value = made();
    setTestConfig({ ENCRYPTION_KEY: `${next},${oldest}` });
    expect(read(value)).toBe(OWNER);
    setTestConfig({ ENCRYPTION_KEY: `${next}` });
    expect(read(value)).toBeNull();
  });

  it('takes a small part of the time of a check when the header is malformed', () => {
    const timeOf = (value: string) => {
      const startedMs = performance.now();
      for (let count = 0; count < 5_000; count += 1) read(value);
      return performance.now() - startedMs;
    };
    const fastest = (value: string) => Math.min(...[1, 2, 3].map(() => timeOf(value)));
    const ofCheck = fastest(`${made().slice(0, -1)}-`);
    expect(fastest('x'.repeat(30_000))).toBeLessThan(ofCheck / 4);
    expect(fastest('.'.repeat(72))).toBeLessThan(ofCheck / 4);
  });

  it('is told by a header that neither the clients of tunnels nor their logs get', () => {
    expect(isInternalHeader(OWNER_HEADER)).toBe(true);
  });
});
