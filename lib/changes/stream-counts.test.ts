import { describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/platform/errors';
import { StreamCounts, type StreamPlace } from './stream-counts';

const LIMITS = { perCaller: 2, perOrganization: 6, perProcess: 12, projects: 6, projectsPerOrganization: 3 };

/** Counts of a process, with the ends of its streams as the test sees them. */
function setUp() {
  const counts = new StreamCounts(LIMITS);
  const ended: string[] = [];
  let opened = 0;
  /** Opens the stream of a new caller. By default an organization has an owner of its own. */
  const open = (organizationId: string, projectId = `${organizationId}-1`, changes: Partial<StreamPlace> = {}) => {
    const callerId = changes.callerId ?? `caller-${++opened}`;
    const place = { ownerId: `${organizationId}-owner`, ...changes, organizationId, projectId, callerId };
    const release = counts.add(place, () => {
      ended.push(`${organizationId} ${projectId}`);
      release();
    });
    return release;
  };
  return { counts, ended, open };
}

function refusal(open: () => unknown) {
  try {
    open();
  } catch (error) {
    const { code, message, options } = error as AppError;
    return { code, message, retryAfterSeconds: options.retryAfterSeconds };
  }
  return null;
}

describe('the number of streams is bounded', () => {
  it('for a caller, and another one still gets a stream', () => {
    const { open } = setUp();
    const callerId = 'ada';
    const release = open('acme', 'shop', { callerId });
    open('acme', 'shop', { callerId });
    const third = () => open('acme', 'shop', { callerId });
    expect(refusal(third)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 });
    expect(refusal(() => open('acme', 'shop'))).toBeNull();
    release();
    release();
    expect([refusal(third), refusal(third)?.code]).toEqual([null, 'rate_limited']);
  });

  it('for an organization, in streams and in projects, and another one still gets a stream', () => {
    const { open, ended } = setUp();
    for (const project of ['a', 'b', 'c']) open('acme', project);
    expect(refusal(() => open('acme', 'd'))?.message).toMatch(/already watches 3 projects/);
    for (let n = 0; n < 3; n++) open('acme', 'a');
    expect(refusal(() => open('acme', 'a'))?.message).toMatch(/already has 6 streams/);
    expect(refusal(() => open('other'))).toBeNull();
    expect(ended).toEqual([]);
  });
});

describe('a process that is full', () => {
  /** Two organizations of one owner take everything. */
  const fill = (open: ReturnType<typeof setUp>['open']) => {
    for (const organization of ['one', 'two']) {
      for (let n = 0; n < 6; n++) open(organization, `${organization}-${n % 3}`, { ownerId: 'ann' });
    }
  };

  it('ends one project of the owner who watches the most, for each other tenant, until all have as much', () => {
    const { open, ended, counts } = setUp();
    fill(open);
    expect(refusal(() => open('three', 'three-1', { ownerId: 'ann' }))?.message).toMatch(/^Too many streams/);
    for (const organization of ['blog', 'shop', 'mail']) open(organization);
    expect(ended.map((end) => end.split(' ')[0])).toEqual(['one', 'one', 'two', 'two', 'one', 'one']);
    expect(counts.open).toBe(9);
    for (const organization of ['bank', 'taxi']) open(organization);
    expect(refusal(() => open('late'))).toMatchObject({ code: 'rate_limited' });
    expect(refusal(() => open('three', 'three-1', { ownerId: 'ann' }))).toMatchObject({ code: 'rate_limited' });
  });

  it('ends the newest stream of the owner who has the most, for a tenant that has fewer', () => {
    const { open, ended, counts } = setUp();
    for (const project of ['a', 'b']) for (let n = 0; n < 3; n++) open('acme', project);
    for (const project of ['c', 'd']) for (let n = 0; n < 3; n++) open('blog', project);
    for (let n = 0; n < 4; n++) open('shop');
    expect(ended).toEqual(['acme b', 'blog d', 'acme b', 'blog d']);
    expect(refusal(() => open('shop'))).toMatchObject({ code: 'rate_limited' });
    expect(counts.open).toBe(12);
  });
});
