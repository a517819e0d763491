import { describe, expect, it } from 'vitest';
import { type Exit, Keeper, type Policy, type Running } from './keeper';

const POLICY: Policy = { firstPauseMs: 10, maxPauseMs: 40, quickDeaths: 5, steadyMs: 1000 };
const DEATH: Exit = { code: 1, signal: null, lastLine: 'the reason' };

/** Something whose life the test decides. */
class Fake implements Running {
  readonly asked: string[] = [];
  readonly startedAt = performance.now();
  becomeReady: () => void = () => undefined;
  end: (exit: Exit) => void = () => undefined;
  readonly ready = new Promise<void>((resolve) => {
    this.becomeReady = resolve;
  });
  readonly exited = new Promise<Exit>((resolve) => {
    this.end = resolve;
  });
  stop(): void {
    this.asked.push('stop');
  }
  kill(): void {
    this.asked.push('kill');
    this.end({ code: null, signal: 'SIGKILL', lastLine: '' });
  }
}

function keep(policy: Partial<Policy> = {}, onStart: (fake: Fake) => void = () => undefined) {
  const started: Fake[] = [];
  const lines: string[] = [];
  const start = () => {
    const fake = new Fake();
    started.push(fake);
    onStart(fake);
    return fake;
  };
  const keeper = new Keeper('worker', start, (line) => lines.push(line), { ...POLICY, ...policy });
  return { keeper, started, lines };
}

const nextStart = (started: Fake[], count: number) => expect.poll(() => started.length, { interval: 1 }).toBe(count);

describe('a kept process', () => {
  it('is started again after a death, with pauses that double up to a bound', async () => {
    const { keeper, started, lines } = keep({ quickDeaths: 6 }, (fake) => fake.end(DEATH));
    await keeper.gaveUp;
    const pauses = started.slice(1).map((fake, index) => fake.startedAt - (started[index]?.startedAt ?? 0));
    for (const [index, atLeastMs] of [10, 20, 40, 40, 40].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(atLeastMs - 2);
    }
    expect(lines[0]).toBe('worker ended (exit code 1: the reason); starting it again in 0.01 s');
  });

  it('is given up after five quick deaths in a row, with the reason', async () => {
    const { keeper, started } = keep({}, (fake) => fake.end(DEATH));
    expect(await keeper.gaveUp).toBe('worker ended 5 times in a row, the last time with exit code 1: the reason.');
    expect(started).toHaveLength(5);
  });

  it('has its deaths forgotten once it has run for long', async () => {
    const { keeper, started } = keep({ quickDeaths: 2, steadyMs: 0 }, (fake) => fake.end(DEATH));
    await nextStart(started, 4);
    keeper.kill();
    await keeper.stop(0);
  });

  it('is not started again when it says that another try is pointless', async () => {
    const { keeper, started } = keep({}, (fake) =>
      fake.end({ ...DEATH, lastLine: 'PORT: 3000 is in use', forGood: true }),
    );
    expect(await keeper.gaveUp).toBe('PORT: 3000 is in use');
    expect(started).toHaveLength(1);
  });

  it('is ready when it first says so, also after deaths', async () => {
    const { keeper, started } = keep();
    started[0]?.end(DEATH);
    await nextStart(started, 2);
    started[1]?.becomeReady();
    await keeper.ready;
    started[1]?.end(DEATH);
    await keeper.stop(0);
  });

  it('is asked to stop, and is not started again when it has', async () => {
    const { keeper, started } = keep();
    const stopped = keeper.stop(1000);
    started[0]?.end({ code: 0, signal: null, lastLine: '' });
    await stopped;
    expect(started[0]?.asked).toEqual(['stop']);
    expect(started).toHaveLength(1);
  });

  it('is killed when it has not stopped at the deadline', async () => {
    const { keeper, started } = keep();
    await keeper.stop(20);
    expect(started[0]?.asked).toEqual(['stop', 'kill']);
  });

  it('stops at once while it waits for its next start', async () => {
    const { keeper, started } = keep({ firstPauseMs: 60_000, maxPauseMs: 60_000 }, (fake) => fake.end(DEATH));
    await nextStart(started, 1);
    await keeper.stop(60_000);
    expect(started).toHaveLength(1);
  });
});
