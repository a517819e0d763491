import { describe, expect, it } from 'vitest';
import type { Exit, Running } from './keeper';
import { Service } from './service';

/** Runs until it is asked to stop; what happens is written into `events`. */
function obedient(name: string, events: string[]): () => Running {
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

const hopeless = (): Running => ({
  ready: new Promise(() => undefined),
  exited: Promise.resolve({ code: 78, signal: null, lastLine: 'PORT: 3000 is in use', forGood: true }),
  stop: () => undefined,
  kill: () => undefined,
});

describe('the service', () => {
  it('stops its children together and the database after them', async () => {
    const events: string[] = [];
    const service = new Service(() => undefined);
    await service.keepLast('PostgreSQL', obedient('PostgreSQL', events));
    await Promise.all(['web', 'worker'].map((name) => service.keep(name, obedient(name, events))));
    service.askToStop();
    await service.ended;
    await service.stopAll();
    expect(events.slice(0, 2).sort()).toEqual(['web asked', 'worker asked']);
    expect(events.slice(-2)).toEqual(['PostgreSQL asked', 'PostgreSQL gone']);
  });

  it('ends with the reason when a child is given up, also while others are awaited', async () => {
    const service = new Service(() => undefined);
    const ready = service.race(Promise.all([service.keep('web', hopeless)]));
    await expect(ready).rejects.toThrow('PORT: 3000 is in use');
    await expect(service.ended).rejects.toThrow('PORT: 3000 is in use');
  });

  it('breaks off what it waits for when it is asked to stop', async () => {
    const service = new Service(() => undefined);
    const waiting = service.race(new Promise(() => undefined));
    service.askToStop();
    await expect(waiting).rejects.toThrow('Stopped');
    expect(service.stopping.aborted).toBe(true);
  });

  it('takes the same Ctrl-C, which comes from the terminal and from npm, for one', async () => {
    const service = new Service(() => undefined);
    service.askToStop();
    service.askToStop();
    await service.ended;
  });
});
