import { describe, expect, it } from 'vitest';
import type { Exit, RestartPolicy, SupervisedProcess } from './supervisor';
import { RESTART_POLICY, restartPause, Supervisor, type SupervisorOptions } from './supervisor';

const POLICY: RestartPolicy = { firstPauseMs: 10, maxPauseMs: 40, quickExits: 5, steadyMs: 60_000 };
const LONG: RestartPolicy = { ...POLICY, firstPauseMs: 60_000, maxPauseMs: 90_000 };
const DEATH: Exit = { code: 1, signal: null, lastLine: 'the reason' };
const FAULT: Exit = { code: 78, signal: null, lastLine: 'PORT: 3000 is in use', isConfigFault: true };

/** A child process that the test controls. */
class Fake implements SupervisedProcess {
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

function supervise(options: Partial<SupervisorOptions> = {}, onStart: (fake: Fake) => void = () => undefined) {
  const started: Fake[] = [];
  const lines: string[] = [];
  const start = () => {
    const fake = new Fake();
    started.push(fake);
    onStart(fake);
    return fake;
  };
  const onNotice = (line: string) => lines.push(line);
  const supervisor = new Supervisor('worker', start, { onNotice, policy: POLICY, ...options });
  return { supervisor, started, lines };
}

const untilStarted = (started: Fake[], count: number) =>
  expect.poll(() => started.length, { interval: 1 }).toBeGreaterThanOrEqual(count);
const untilSaid = (lines: string[], count: number) =>
  expect.poll(() => lines.length, { interval: 1 }).toBeGreaterThanOrEqual(count);

describe('a supervised child', () => {
  it('is restarted after every exit, with pauses that double up to a bound', async () => {
    const { supervisor, started } = supervise({}, (fake) => fake.end(DEATH));
    await untilStarted(started, 12);
    const pauses = started.slice(1).map((fake, index) => fake.startedAt - (started[index]?.startedAt ?? 0));
    for (const [index, atLeastMs] of [8, 16, 32, 32, 32, 32].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(atLeastMs - 2);
    }
    await supervisor.stop(0);
  });

  it('has each exit reported once, with the reason and the pause', async () => {
    const { supervisor, started, lines } = supervise({}, (fake) => fake.end(DEATH));
    await untilStarted(started, 3);
    await supervisor.stop(0);
    expect(lines.length).toBeLessThanOrEqual(started.length);
    expect(lines[0]).toBe('worker ended (exit code 1: the reason); restarting in 0.0 s');
  });

  it.each([
    [{ code: null, signal: 'SIGKILL', lastLine: '' }, /^worker ended \(SIGKILL\); restarting in \d\d\.\d s$/],
    [
      { code: 134, signal: null, lastLine: 'heap out of memory', isOutOfMemory: true },
      /^worker ran out of memory \(exit code 134: heap out of memory\); restarting/,
    ],
  ] as const)('has the cause of its exit reported: %j', async (exit, line) => {
    const { supervisor, started, lines } = supervise({ policy: LONG });
    started[0]?.end(exit);
    await untilSaid(lines, 1);
    expect(lines).toEqual([expect.stringMatching(line)]);
    await supervisor.stop(0);
  });

  it('is restarted when it cannot be started', async () => {
    const lines: string[] = [];
    let tries = 0;
    const start = () => {
      tries += 1;
      if (tries === 1) throw new Error('ENOSPC: no space left on device');
      return new Fake();
    };
    const supervisor = new Supervisor('worker', start, { onNotice: (line) => lines.push(line), policy: POLICY });
    await expect.poll(() => tries).toBe(2);
    expect(lines[0]).toMatch(/^worker ended \(not started: ENOSPC: no space left on device\); restarting/);
    supervisor.kill();
    await supervisor.stop(0);
  });

  it('restarts after the first pause again once it was ready for long', async () => {
    const steady = { ...LONG, firstPauseMs: 10, maxPauseMs: 60_000, steadyMs: 0 };
    const { supervisor, started } = supervise({ policy: steady }, (fake) => {
      fake.becomeReady();
      // After the supervisor knows that it is ready.
      setTimeout(() => fake.end(DEATH), 1);
    });
    // If the pauses kept doubling, the fourteenth start would take more than a minute.
    await untilStarted(started, 14);
    supervisor.kill();
    await supervisor.stop(0);
  });

  it('does not count as steady while it hangs: its pauses keep growing', async () => {
    const hanging = { ...LONG, firstPauseMs: 10, maxPauseMs: 60_000, steadyMs: 0 };
    const { supervisor, started, lines } = supervise({ policy: hanging }, (fake) => fake.end(DEATH));
    await untilSaid(lines, 4);
    const pauses = started.slice(1).map((fake, index) => fake.startedAt - (started[index]?.startedAt ?? 0));
    expect(pauses[2]).toBeGreaterThanOrEqual(30);
    await supervisor.stop(0);
  });

  it('has its recovery reported after several exits, but not after a single one', async () => {
    const { supervisor, started, lines } = supervise();
    started[0]?.end(DEATH);
    await untilStarted(started, 2);
    started[1]?.becomeReady();
    await supervisor.ready;
    expect(lines).toHaveLength(1);
    started[1]?.end(DEATH);
    await untilStarted(started, 3);
    started[2]?.becomeReady();
    await untilSaid(lines, 3);
    expect(lines.slice(2)).toEqual(['worker is running again after 2 exits in a row']);
    supervisor.kill();
    await supervisor.stop(0);
  });

  it('is ready when it first reports so, and settled by its first exit', async () => {
    const { supervisor, started } = supervise();
    started[0]?.end(DEATH);
    await supervisor.settled;
    expect(supervisor.isRunning).toBe(false);
    await untilStarted(started, 2);
    started[1]?.becomeReady();
    await supervisor.ready;
    expect(supervisor.isRunning).toBe(true);
    supervisor.kill();
    await supervisor.stop(0);
  });
});

describe('a supervisor that may give up', () => {
  const mayGiveUp = () => true;

  it('gives up after five quick exits in a row, with the reason', async () => {
    const { supervisor, started } = supervise({ mayGiveUp }, (fake) => fake.end(DEATH));
    expect(await supervisor.failed).toBe('worker ended (exit code 1: the reason), as it did 5 times in a row.');
    expect(started).toHaveLength(5);
  });

  it('gives up at once after a configuration fault of a child that was never ready', async () => {
    const { supervisor, started } = supervise({ mayGiveUp }, (fake) => fake.end(FAULT));
    expect(await supervisor.failed).toBe('PORT: 3000 is in use');
    expect(started).toHaveLength(1);
  });

  it('restarts with the longest pause after a configuration fault of a child that was ready before', async () => {
    const { supervisor, started, lines } = supervise({ mayGiveUp, policy: { ...LONG, firstPauseMs: 10 } });
    started[0]?.becomeReady();
    await supervisor.ready;
    started[0]?.end(FAULT);
    await untilSaid(lines, 1);
    expect(lines[0]).toMatch(/PORT: 3000 is in use\); restarting in (7[2-9]|8\d|90)\.\d s$/);
    await supervisor.stop(0);
  });
});

describe('stopping a supervised child', () => {
  it('asks it to exit and does not restart it', async () => {
    const { supervisor, started } = supervise();
    const stopped = supervisor.stop(60_000);
    started[0]?.end({ code: 0, signal: null, lastLine: '' });
    await stopped;
    expect(started[0]?.asked).toEqual(['stop']);
    expect(started).toHaveLength(1);
  });

  it('kills it at the deadline', async () => {
    const { supervisor, started } = supervise();
    await supervisor.stop(20);
    expect(started[0]?.asked).toEqual(['stop', 'kill']);
  });

  it('takes no time while the child waits for its next start', async () => {
    const { supervisor, started, lines } = supervise({ policy: LONG }, (fake) => fake.end(DEATH));
    await untilSaid(lines, 1);
    await supervisor.stop(60_000);
    expect(started).toHaveLength(1);
  });
});

describe('the pause before a restart', () => {
  const longest = (exits: number) => restartPause(RESTART_POLICY, exits, 0);

  it('doubles from half a second up to 10 s, and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 5000].map(longest)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000,
    ]);
  });

  it('varies by a fifth, and never exceeds its bound', () => {
    expect(restartPause(RESTART_POLICY, 1, 0.5)).toBe(450);
    expect(restartPause(RESTART_POLICY, 100, 0.999)).toBeGreaterThanOrEqual(8_000);
    for (let tries = 0; tries < 100; tries++) {
      const pause = restartPause(RESTART_POLICY, 7);
      expect(pause).toBeGreaterThanOrEqual(8_000);
      expect(pause).toBeLessThanOrEqual(10_000);
    }
  });
});
