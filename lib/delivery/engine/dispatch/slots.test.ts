import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  countOf,
  countOfProject,
  makeDispatcher,
  makeJob,
  makeTarget,
  runEventLoop,
} from '@/tests/delivery/dispatcher';
import { isWithinShare, remainingShare } from './slot-policy';
import { type AttemptEnd, TargetQueue } from './target-queue';
import { TargetQueues } from './target-queues';

describe('slow and failing targets', () => {
  const siege = async ({ fill, sending, finishAll }: ReturnType<typeof makeDispatcher>, end: Partial<AttemptEnd>) => {
    for (let index = 0; index < 30; index += 1) {
      const id = `slow-${Math.floor(index / 3)}/${index}`;
      await fill(id, 3);
      await finishAll(id, end);
      await fill(id, 40);
    }
    return sending.length;
  };

  it('use at most half as many slots as quick targets', async () => {
    const made = makeDispatcher({ concurrency: 20 });
    expect(await siege(made, { durationMs: 15_000 })).toBeLessThanOrEqual(10);
    expect(made.sending.length).toBeGreaterThanOrEqual(8);
    await made.fill('quick', 4);
    expect(countOf(made.sending, 'quick')).toBe(4);
  });

  it('lose the quick slots after a few failures in a row, until they succeed', async () => {
    const made = makeDispatcher({ concurrency: 20 });
    const slow = await siege(made, { succeeded: false });
    expect(slow).toBeLessThanOrEqual(10);
    const [first] = made.sending;
    await first?.finish({ succeeded: true });
    expect(countOf(made.sending, first?.targetId ?? '')).toBeGreaterThan(0);
  });

  it('share the slow slots evenly between projects', async () => {
    const made = makeDispatcher({ concurrency: 40 });
    await siege(made, { durationMs: 15_000 });
    // At first only the first projects have slow slots.
    for (let count = 0; count < 60; count += 1) {
      const [first] = made.sending;
      await made.fill(first?.targetId ?? '', 1);
      await first?.finish({ durationMs: 15_000 });
    }
    for (let project = 0; project < 10; project += 1) {
      expect(countOfProject(made.sending, `slow-${project}`)).toBeGreaterThanOrEqual(1);
      expect(countOfProject(made.sending, `slow-${project}`)).toBeLessThanOrEqual(3);
    }
  });

  it('free their quick slots after about a second when they turn out to hang', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 10, targetConcurrency: 1 });
    for (let index = 0; index < 40; index += 1) await fill(`hanging/${index}`, 1);
    const first = sending.length;
    expect(first).toBeLessThan(10);
    await vi.waitFor(() => expect(countOfProject(sending, 'hanging')).toBeGreaterThanOrEqual(first), 5_000);
    await sleep(1_300);
    for (let index = 0; index < 8; index += 1) await fill(`healthy-${index}`, 1);
    expect(sending.filter(({ targetId }) => targetId.startsWith('healthy'))).toHaveLength(8);
    // The other targets of the project wait for slow slots: they may hang as well.
    expect(countOfProject(sending, 'hanging')).toBeLessThanOrEqual(first + 2);
  });

  it('never have more attempts in flight than twice the slots, even if they answered quickly before', async () => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 10, targetConcurrency: 1 });
    const ids = Array.from({ length: 60 }, (_, index) => `liar/${index}`);
    for (const id of ids) {
      await fill(id, 1);
      await finishAll(id);
    }
    for (const id of ids) await fill(id, 3);
    await sleep(3_500);
    expect(sending.length).toBeGreaterThan(10);
    expect(sending.length).toBeLessThanOrEqual(20);
  });
});

describe('a healthy target', () => {
  it('is claimed for while hanging targets of other projects use the slow slots', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    for (let index = 0; index < 30; index += 1) {
      const id = `slow-${index}/x`;
      await fill(id, 1);
      await finishAll(id, { durationMs: 15_000 });
      await fill(id, 2);
    }
    expect(sending.length).toBeGreaterThanOrEqual(8);
    expect(dispatcher.admission.maySendUnstored(makeTarget('victim/new'))).toBe(true);
    dispatcher.backlog.set('victim/due', 'victim', true);
    expect(dispatcher.backlog.selectRefills(200).get('victim/due')).toBeGreaterThan(0);
  });

  it('gets its quick slots back with its first success after failures', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    await fill('p/x', 1);
    await finishAll('p/x');
    for (let index = 0; index < 10; index += 1) {
      await fill(`p/h${index}`, 1);
      await finishAll(`p/h${index}`, { durationMs: 15_000 });
      await fill(`p/h${index}`, 1);
    }
    await fill('p/x', 12);
    expect(countOf(sending, 'p/x')).toBe(4);
    const finishOne = (end?: Partial<AttemptEnd>) => sending.find(({ targetId }) => targetId === 'p/x')?.finish(end);
    for (let failure = 0; failure < 3; failure += 1) await finishOne({ succeeded: false });
    expect(countOf(sending, 'p/x')).toBe(3);
    await finishOne();
    dispatcher.pump();
    await runEventLoop();
    expect(countOf(sending, 'p/x')).toBe(4);
  });

  it('gets its attempts while attackers have many projects with a hanging endpoint each', async () => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    await fill('victim', 1);
    await finishAll('victim');
    for (let index = 0; index < 120; index += 1) await fill(`attacker-${index}/x`, 1);
    for (let wave = 0; wave < 3; wave += 1) await sleep(1_150);
    await fill('victim', 1);
    await vi.waitFor(() => expect(countOf(sending, 'victim')).toBe(1), 2_500);
  });

  it('has slots kept for it while many accounts whose targets hang have one after the other tried', async () => {
    const { dispatcher, sending, fill } = makeDispatcher({ concurrency: 4 });
    const accounts = Array.from({ length: 5 }, (_, index) => `account-${index}`);
    for (const account of accounts) await fill(`${account}/first`, 1);
    await sleep(2_300);
    expect(sending).toHaveLength(5);
    for (const attempt of [...sending]) await attempt.finish({ durationMs: 15_000, succeeded: false });
    for (const account of accounts) for (const target of 'abcd') await fill(`${account}/${target}`, 1);
    await sleep(2_300);
    expect(sending).toHaveLength(8);
    await fill('victim/new', 1);
    expect(countOf(sending, 'victim/new')).toBe(1);
    for (let failure = 0; failure < 4; failure += 1) {
      await sending.find(({ targetId }) => targetId === 'victim/new')?.finish({ succeeded: false });
      await fill('victim/new', 1);
    }
    await vi.waitFor(() => expect(countOf(sending, 'victim/new')).toBe(1), 500);
    await sending.find(({ targetId }) => targetId === 'victim/new')?.finish({ succeeded: false });
    dispatcher.backlog.set('victim/new', 'victim', true);
    expect(dispatcher.backlog.selectRefills(200).get('victim/new')).toBe(1);
  });

  it.each([
    ['fill the slow slots', 10],
    ['exceed them', 18],
    ['exceed them twice', 24],
  ])('has its slow target attempted while hanging attempts of two others %s', async (_, hanging) => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    await fill('victim', 1);
    await finishAll('victim', { durationMs: 1_300 });
    for (let count = 0; count < hanging; count += 1) await fill(`attacker-${count % 2}/${count}`, 1);
    await sleep(1_300);
    expect(sending.length).toBeGreaterThanOrEqual(Math.min(hanging, 16));
    await fill('victim', 2);
    await vi.waitFor(() => expect(countOf(sending, 'victim')).toBeGreaterThanOrEqual(1), 500);
  });

  it('has slots kept for it while accounts that have just come try many targets that hang', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 20 });
    const fillAccounts = async () => {
      for (let account = 0; account < 5; account += 1) {
        for (let target = 0; target < 30; target += 1) await fill(`account-${account}/${target}`, 1);
      }
    };
    for (let wave = 0; wave < 3; wave += 1) {
      await fillAccounts();
      await sleep(1_150);
    }
    expect(sending.length).toBeLessThanOrEqual(48);
    await fill('victim/new', 1);
    expect(countOf(sending, 'victim/new')).toBe(1);
  });

  it('gets its turn after many projects that cannot start anything', async () => {
    const { dispatcher, sending, fill } = makeDispatcher({ concurrency: 400, targetConcurrency: 1 });
    // Each project has an attempt that hangs and a new target that waits. Together they use every slow slot.
    for (let index = 0; index < 300; index += 1) await fill(`held-${index}/x`, 1);
    await sleep(1_200);
    for (let index = 0; index < 300; index += 1)
      dispatcher.add(makeTarget(`held-${index}/y`), makeJob(`held-${index}/y`));
    await runEventLoop();
    await fill('victim', 1);
    expect(countOf(sending, 'victim')).toBe(1);
  });
});

describe('an owner of many projects', () => {
  const ownerOf = (projectId: string) => (projectId.startsWith('attacker') ? 'attacker' : projectId);

  it('with a new target that hangs in each delays neither the known nor the new targets of others', async () => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 20, ownerOf });
    await fill('victim/known', 1);
    await finishAll('victim/known');
    for (let index = 0; index < 120; index += 1) await fill(`attacker-${index}/x`, 1);
    for (let wave = 0; wave < 3; wave += 1) await sleep(1_150);
    await fill('victim/known', 1);
    await fill('victim/new', 1);
    expect(sending.filter(({ targetId }) => targetId.startsWith('victim'))).toHaveLength(2);
  });

  it('leaves room for the jobs of others, who have all of a claim while it has no room', async () => {
    const { dispatcher } = makeDispatcher({ concurrency: 20, mayStart: () => false, ownerOf });
    const isFree = (index: number) => dispatcher.admission.roomOf(`attacker-${index}`) > 0;
    for (let index = 0; index < 2_000; index += 1) {
      for (let count = 0; count < 10 && isFree(index); count += 1)
        dispatcher.add(makeTarget(`attacker-${index}/x`), makeJob(`attacker-${index}/x`));
    }
    expect(dispatcher.admission.roomOf('victim')).toBeGreaterThan(300);
    for (let index = 0; index < 300; index += 1)
      dispatcher.backlog.set(`attacker-${index}/due`, `attacker-${index}`, true);
    for (let count = 0; count < 10; count += 1) dispatcher.backlog.set(`victim/${count}`, 'victim', true);
    const wanted = [...dispatcher.backlog.selectRefills(40)].filter(([targetId]) => targetId.startsWith('victim'));
    expect(wanted.reduce((sum, [, count]) => sum + count, 0)).toBe(40);
  });

  it('with thousands of due targets is looked at in parts, and each of them gets its turn', () => {
    const { dispatcher } = makeDispatcher({ concurrency: 20, mayStart: () => false, ownerOf });
    const ids = Array.from({ length: 1_000 }, (_, index) => `attacker/${index}`);
    for (const id of ids) dispatcher.backlog.set(id, 'attacker', true);
    const seen = new Set<string>();
    for (let claim = 0; claim < 200; claim += 1)
      for (const id of dispatcher.backlog.selectRefills(10).keys()) seen.add(id);
    expect(seen.size).toBe(1_000);
  });

  it('with more due targets than a worker knows of leaves room for those of others, who have as many', () => {
    const queues = new TargetQueues(1, ownerOf);
    const poll = (due: Record<string, number>) => {
      queues.evict();
      for (const [project, count] of Object.entries(due))
        for (let index = 0; index < count; index += 1)
          if (queues.find(`${project}/${index}`) !== undefined || queues.hasRoomFor(project))
            queues.of(`${project}/${index}`, project).hasBacklog = true;
      return (project: string) => queues.projectOf(project).owner.backlogs;
    };
    const attackers = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`attacker-${index}`, 1_000]));
    expect(poll(attackers)('attacker-0')).toBe(5_000);
    expect(poll({ ...attackers, victim: 4_000 })('victim')).toBe(4_000);
    const accounts = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`account-${index}`, 60]));
    for (let count = 0; count < 3; count += 1) poll({ ...attackers, ...accounts });
    const backlogs = poll({ ...attackers, ...accounts, newcomer: 30 });
    expect([backlogs('attacker-0'), backlogs('account-399'), backlogs('newcomer')]).toEqual([24, 24, 24]);
    expect([...queues.all()].length).toBeLessThan(20_000);
  });

  it('gets its turn in a claim beside more owners than a claim has deliveries, whose backlogs never end', () => {
    const { dispatcher } = makeDispatcher({ concurrency: 20, mayStart: () => false, ownerOf });
    for (let owner = 0; owner < 400; owner += 1) dispatcher.backlog.set(`account-${owner}/x`, `account-${owner}`, true);
    dispatcher.backlog.set('victim/x', 'victim', true);
    const claims = Array.from({ length: 3 }, () => [...dispatcher.backlog.selectRefills(200).keys()]);
    expect(claims.flat()).toContain('victim/x');
  });

  it('with 4,000 waiting projects costs a claim no more looks than with 500, and each project gets its turn', () => {
    const claimBeside = (projects: number) => {
      const { dispatcher } = makeDispatcher({ concurrency: 20, mayStart: () => false, ownerOf });
      const { backlog } = dispatcher;
      for (let index = 0; index < projects; index += 1) backlog.set(`attacker-${index}/x`, `attacker-${index}`, true);
      backlog.set('victim/x', 'victim', true);
      const looks = vi.spyOn(TargetQueue.prototype, 'needsRefill', 'get');
      const first = [...backlog.selectRefills(200).keys()];
      const count = looks.mock.calls.length;
      looks.mockRestore();
      return { backlog, first, count };
    };
    const { count } = claimBeside(500);
    const many = claimBeside(4_000);
    expect(many.count).toBe(count);
    expect(many.first).toContain('victim/x');
    const seen = new Set(many.first);
    for (let claim = 1; claim < 4_000 / 100; claim += 1)
      for (const id of many.backlog.selectRefills(200).keys()) seen.add(id);
    expect(seen.size).toBe(4_001);
  });

  it('with 4,000 pausing targets costs each claim 1,000 looks, and the claims that follow soon find another target', () => {
    const { dispatcher } = makeDispatcher({ concurrency: 20, mayStart: () => false, ownerOf });
    const { backlog } = dispatcher;
    for (let index = 0; index < 4_000; index += 1) {
      backlog.set(`attacker-${index}/x`, `attacker-${index}`, true);
      backlog.pause(`attacker-${index}/x`, 600_000);
    }
    backlog.set('attacker-last/x', 'attacker-last', true);
    const looks = [
      vi.spyOn(TargetQueue.prototype, 'needsRefill', 'get'),
      vi.spyOn(TargetQueue.prototype, 'reclaimInMs', 'get'),
    ];
    const claims: string[][] = [];
    while (claims.flat().length === 0 && claims.length < 10) {
      claims.push([...backlog.selectRefills(200).keys()]);
      if (claims.flat().length === 0) expect(backlog.nextReclaimInMs()).toBe(0);
    }
    expect(claims.flat()).toEqual(['attacker-last/x']);
    for (const { mock } of looks) expect(mock.calls.length / claims.length).toBeLessThanOrEqual(1_000);
    vi.restoreAllMocks();
  });

  it('with many idle targets does not make the worker forget those of others', () => {
    const queues = new TargetQueues(1, ownerOf);
    queues.of('victim/idle', 'victim');
    for (let index = 0; index < 12_000; index += 1) queues.of(`attacker/${index}`, 'attacker');
    queues.evict();
    expect([...queues.all()]).toHaveLength(5_000);
    expect(queues.find('victim/idle')).toBeDefined();
    expect(queues.find('attacker/11999')).toBeDefined();
  });

  it('counts as one from the moment on at which its projects are known to be of one owner', async () => {
    let isKnown = false;
    const { sending, fill, finishAll } = makeDispatcher({
      concurrency: 10,
      targetConcurrency: 1,
      ownerOf: (id) => (isKnown ? ownerOf(id) : id),
    });
    for (let index = 0; index < 30; index += 1) {
      await fill(`attacker-${index}/x`, 1);
      await finishAll(`attacker-${index}/x`, { durationMs: 15_000 });
    }
    isKnown = true;
    for (let index = 0; index < 30; index += 1) await fill(`attacker-${index}/x`, 1);
    // An owner may use two thirds of the five slow slots. Thirty owners would use four of them.
    expect(sending.length).toBe(3);
  });
});

/** Projects take what they may, in any order. Some release all of it in between. */
const anyTraffic = fc.array(
  fc.record({ project: fc.nat({ max: 7 }), wants: fc.nat({ max: 3_000 }), releases: fc.boolean() }),
  { maxLength: 60 },
);

describe('the room of a project', () => {
  const MOST = 2_000;

  it('is half of all for a single project, and an even share for several projects', () => {
    expect(remainingShare(MOST, { total: 0, own: 0 })).toBe(1_000);
    for (const count of [2, 3, 10, 50]) {
      const share = Math.floor(MOST / (count + 1));
      expect(remainingShare(MOST, { total: count * share, own: share })).toBeLessThanOrEqual(count / 2);
      expect(remainingShare(MOST, { total: (count - 1) * share, own: 0 })).toBeGreaterThanOrEqual(share - 1);
    }
  });

  it('never exceeds the total, and is never zero for a new project', () => {
    fc.assert(
      fc.property(anyTraffic, (traffic) => {
        const held = new Map<number, number>();
        const total = () => [...held.values()].reduce((sum, own) => sum + own, 0);
        for (const { project, wants, releases } of traffic) {
          if (releases) held.delete(project);
          const own = held.get(project) ?? 0;
          held.set(project, own + Math.min(wants, remainingShare(MOST, { total: total(), own })));
          expect(total()).toBeLessThan(MOST);
          expect(remainingShare(MOST, { total: total(), own: 0 })).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('one more item', () => {
  it('may be taken until little is free, and then only by projects that have less than others', () => {
    const MOST = 200;
    const takeAll = (own: number, others: number) => {
      let taken = own;
      while (isWithinShare(MOST, { total: taken + others, own: taken })) taken += 1;
      return taken;
    };
    expect(takeAll(0, 0)).toBe(160);
    expect(takeAll(0, 160)).toBe(32);
    // After the first project has released some, both get the same.
    expect(Math.abs(takeAll(0, 89) - 89)).toBeLessThanOrEqual(1);
  });

  it('never exceeds the total', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), fc.integer({ min: 1, max: 300 }), (total, own, most) => {
        if (total >= most) expect(isWithinShare(most, { total, own })).toBe(false);
        else expect(isWithinShare(most, { total, own: 0 })).toBe(true);
      }),
    );
  });
});
