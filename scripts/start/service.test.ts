import { describe, expect, it } from 'vitest';
import { Service } from './service';
import type { Exit, RestartPolicy, SupervisedProcess } from './supervisor';

const POLICY: RestartPolicy = { firstPauseMs: 5, maxPauseMs: 60_000, quickExits: 5, steadyMs: 60_000 };

/** A process that runs until it is asked to stop; appends what happens to `events`. */
function obedient(name: string, events: string[]): () => SupervisedProcess {
  return () => {
    let end: (exit: Exit) => void = () => undefined;
    const exited = new Promise<Exit>((resolve) => {
      end = resolve;
    });
    const stop = () => {
      events.push(`${name} asked`);
      setTimeout(() => {
        events.push(`${name} gone`);
        end({ code: 0, signal: null, lastLine: '' });
      }, 10);
    };
    return { ready: Promise.resolve(), exited, stop, kill: stop };
  };
}

/** A process that exits as soon as it starts. */
function dying(exit: Partial<Exit> = {}): () => SupervisedProcess {
  return () => ({
    ready: new Promise(() => undefined),
    exited: Promise.resolve({ code: 1, signal: null, lastLine: 'the reason', ...exit }),
    stop: () => undefined,
    kill: () => undefined,
  });
}

const misconfigured = dying({ code: 78, lastLine: 'PORT: 3000 is in use', isConfigFault: true });
const ESSENTIAL = { isEssential: true };
const OTHER = { isEssential: false };

describe('the service', () => {
  it('stops its children together, then the database', async () => {
    const events: string[] = [];
    const service = new Service(() => undefined);
    await service.superviseLast('PostgreSQL', obedient('PostgreSQL', events)).ready;
    await Promise.all(['web', 'worker'].map((name) => service.supervise(name, obedient(name, events), OTHER).ready));
    service.askToStop();
    await service.ended;
    await service.stopAll();
    expect(events.slice(0, 2).sort()).toEqual(['web asked', 'worker asked']);
    expect(events.slice(-2)).toEqual(['PostgreSQL asked', 'PostgreSQL gone']);
  });

  it.each([ESSENTIAL, OTHER])('fails to start on a configuration fault of any child: %j', async (options) => {
    const service = new Service(() => undefined);
    const ready = service.race(service.supervise('web', misconfigured, options).ready);
    await expect(ready).rejects.toThrow('PORT: 3000 is in use');
    await expect(service.ended).rejects.toThrow('PORT: 3000 is in use');
  });

  it('fails to start when an essential child exits five times in a row, but not for another child', async () => {
    const lines: string[] = [];
    const service = new Service((line) => lines.push(line), POLICY);
    service.supervise('worker', dying(), OTHER);
    await expect.poll(() => lines.filter((line) => line.startsWith('worker')).length).toBe(4);
    service.supervise('web', dying(), ESSENTIAL);
    await expect(service.ended).rejects.toThrow('web ended (exit code 1: the reason), as it did 5 times in a row.');
    expect(lines.filter((line) => line.startsWith('worker')).length).toBeGreaterThanOrEqual(5);
    await service.stopAll();
  });

  it('keeps running whatever its children do once it was ready', async () => {
    const lines: string[] = [];
    const events: string[] = [];
    const service = new Service((line) => lines.push(line), POLICY);
    let hasEnded = false;
    service.ended.then(
      () => undefined,
      () => {
        hasEnded = true;
      },
    );
    service.supervise('worker', obedient('worker', events), OTHER);
    service.markReady();
    service.supervise('web', dying(), ESSENTIAL);
    service.supervise('retention', misconfigured, OTHER);
    await expect.poll(() => lines.filter((line) => line.startsWith('web')).length).toBe(5);
    expect(lines).toContainEqual(expect.stringMatching(/^retention ended .* restarting in (4[89]|5\d|60)\.\d s$/));
    expect(hasEnded).toBe(false);
    expect(events).toEqual([]);
    await service.stopAll();
  });

  it('stops waiting when it is asked to stop', async () => {
    const service = new Service(() => undefined);
    const waiting = service.race(new Promise(() => undefined));
    service.askToStop();
    await expect(waiting).rejects.toThrow('Stopped');
    expect(service.stopping.aborted).toBe(true);
  });

  it('counts a Ctrl-C that arrives from the terminal and from npm as one', async () => {
    const service = new Service(() => undefined);
    service.askToStop();
    service.askToStop();
    await service.ended;
  });
});
