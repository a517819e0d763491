import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeFailure } from './failure-reason';
import { SystemLookups } from './system-lookup';

/** In place of getaddrinfo: answers with the process in place of an address; `dead` hangs, `slow` takes 300 ms, `crash` ends it. */
const STAND_IN = `
process.on('disconnect', () => process.exit());
process.on('message', ({ id, hostname }) => {
  if (hostname === 'crash') process.exit(1);
  const answer = () => process.send({ id, found: [{ address: String(process.pid), family: 4 }] });
  if (hostname !== 'dead') setTimeout(answer, hostname === 'slow' ? 300 : 0);
});
`;

const processOf = async (lookup: Promise<{ address: string }[]>) => Number((await lookup)[0]?.address);
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a lookup that takes too long fails; its process ends after the other lookups in it, and later ones have another', async () => {
  const lookups = new SystemLookups({ script: STAND_IN, deadlineMs: 1_000 });
  const first = await processOf(lookups.lookUp('quick'));
  const dead = lookups.lookUp('dead').catch(describeFailure);
  await sleep(900);
  const slow = processOf(lookups.lookUp('slow'));
  expect(await dead).toBe('DNS lookup failed: no answer within 4 s');
  const second = await processOf(lookups.lookUp('quick'));
  expect(second).not.toBe(first);
  expect(await slow).toBe(first);
  await vi.waitFor(() => expect(isRunning(first)).toBe(false));
  expect(isRunning(second)).toBe(true);
});

it('when the process ends, its lookups fail, and later ones have another', async () => {
  const lookups = new SystemLookups({ script: STAND_IN });
  const first = await processOf(lookups.lookUp('quick'));
  const failed = await Promise.all(['dead', 'crash'].map((name) => lookups.lookUp(name).catch(describeFailure)));
  expect(failed).toEqual(['DNS lookup failed', 'DNS lookup failed']);
  expect(await processOf(lookups.lookUp('quick'))).not.toBe(first);
});

it.each([
  ['cannot be started', '/no/such/program'],
  ['ends before its first answer', 'false'],
])('after a process that %s, lookups fail for a second, and then get another', async (_, program) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
    vi.useRealTimers();
  });
  const lookups = new SystemLookups({ script: STAND_IN });
  process.execPath = program;
  await expect(lookups.lookUp('quick')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  process.execPath = execPath;
  vi.advanceTimersByTime(999);
  await expect(lookups.lookUp('quick')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  vi.advanceTimersByTime(1);
  expect(await processOf(lookups.lookUp('quick'))).toBeGreaterThan(0);
});

it('a name that does not exist fails with the code of the system', async () => {
  await expect(new SystemLookups().lookUp('no-such-name.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
  });
});
