import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { abortLongTasks, runInBackground, runLongTask, settleBackground } from './background';
import { setOnce } from './globals';
import { log } from './log';

beforeEach(() => {
  setTestConfig();
});
afterEach(settleBackground);

describe('background work', () => {
  it('starts after its caller has continued', async () => {
    const steps: string[] = [];
    runInBackground('a step', async () => {
      steps.push('work');
    });
    await new Promise((resolve) => setImmediate(resolve));
    steps.push('answer');
    await settleBackground();
    expect(steps).toEqual(['answer', 'work']);
  });

  it('is awaited by a stopping process, with the work that it starts', async () => {
    let done = 0;
    const count = async () => {
      done += 1;
    };
    runInBackground('the first', async () => {
      runInBackground('the second', count);
      await count();
    });
    await settleBackground();
    expect(done).toBe(2);
    await settleBackground();
  });

  it('is logged when it fails, and fails nothing else', async () => {
    const logged: unknown[] = [];
    log().error = (facts: unknown) => {
      logged.push(facts);
    };
    let done = 0;
    for (let index = 0; index < 12; index++) {
      runInBackground('every third', async () => {
        if (index % 3 === 0) throw new Error('no');
        done += 1;
      });
    }
    await settleBackground();
    expect(done).toBe(8);
    expect(logged).toHaveLength(4);
    expect(logged[0]).toMatchObject({ work: 'every third', err: { message: 'no' } });
  });

  it('runs four at a time', async () => {
    let running = 0;
    let most = 0;
    for (let index = 0; index < 20; index++) {
      runInBackground('counted', async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
      });
    }
    await settleBackground();
    expect(most).toBe(4);
  });

  it('is refused beyond a thousand jobs, and accepted again when they are done', async () => {
    const nothing = async () => undefined;
    for (let index = 0; index < 1000; index++) runInBackground('one of many', nothing);
    expect(() => runInBackground('one too many', nothing)).toThrow(
      expect.objectContaining({ code: 'overloaded', options: { retryAfterSeconds: 5 } }),
    );
    await settleBackground();
    expect(() => runInBackground('one more', nothing)).not.toThrow();
  });
});

describe('a long task', () => {
  afterEach(() => setOnce('background', undefined));

  it('returns its result or its error', async () => {
    await expect(runLongTask(async () => 7)).resolves.toBe(7);
    await expect(runLongTask(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await settleBackground();
  });

  it('is aborted and awaited when the process stops', async () => {
    let isDone = false;
    const work = runLongTask(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isDone = true;
    });
    abortLongTasks();
    await settleBackground();
    expect(isDone).toBe(true);
    await work;
  });

  it('waits for no background work', async () => {
    for (let index = 0; index < 8; index++) {
      void runLongTask((signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())));
    }
    let done = 0;
    for (let index = 0; index < 4; index++) {
      runInBackground('a mail', async () => {
        done += 1;
      });
    }
    await vi.waitFor(() => expect(done).toBe(4));
    abortLongTasks();
  });
});
