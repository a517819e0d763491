import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { STANDARD } from '@/lib/delivery/endpoint-options-policy';
import { Dispatcher, type DispatcherOptions } from '@/lib/delivery/engine/dispatch/dispatcher';
import type { AttemptEnd } from '@/lib/delivery/engine/dispatch/target-queue';
import type { Job, Target } from '@/lib/delivery/engine/types';

/** The project of a target `project/name`; a target without a slash has its own project. */
export const projectOf = (id: string) => id.split('/')[0] ?? id;
export const makeTarget = (id: string): Target => ({
  id,
  kind: 'endpoint',
  projectId: projectOf(id),
  origin: 'http://receiver.test',
  path: '/',
  signingKeys: [],
  headers: {},
  signature: STANDARD,
  sendsData: false,
  customerId: null,
  filter: null,
  rateLimit: null,
  scheduleSeconds: [],
  failingSinceMs: null,
  version: '1',
  fault: null,
});

let made = 0;
export const makeJob = (targetId: string, options: Partial<Job> = {}): Job => ({
  deliveryId: `delivery-${made++}`,
  projectId: projectOf(targetId),
  targetId,
  targetKind: 'endpoint',
  customerId: null,
  turn: projectOf(targetId),
  source: { eventId: 'event', incomingEventId: null },
  message: { id: 'event', kind: 'event', headers: {}, body: Buffer.from('{}'), bytes: 2 },
  attemptNumber: 1,
  scheduleStep: 0,
  leaseEndsAt: performance.now() + 60_000,
  leasedAt: performance.now(),
  entry: null,
  storing: null,
  ...options,
});

export interface Sending {
  targetId: string;
  job: Job;
  /** @param end null when nothing was sent */
  finish(end?: Partial<AttemptEnd> | null): Promise<void>;
}

/** A dispatcher whose attempts end when the test finishes them. */
export function makeDispatcher(options: Partial<DispatcherOptions> = {}) {
  const sending: Sending[] = [];
  const released: Job[] = [];
  const storeDue: Job[] = [];
  const dispatcher = new Dispatcher({
    concurrency: 100,
    ownerOf: (projectId) => projectId,
    targetConcurrency: 4,
    send: (sent, to) =>
      new Promise((resolve) => {
        const entry: Sending = {
          targetId: to.id,
          job: sent,
          finish: async (end) => {
            sending.splice(sending.indexOf(entry), 1);
            resolve(end === null ? null : { durationMs: 1, succeeded: true, responseStatus: 200, ...end });
            await runEventLoop();
            dispatcher.forget(sent.deliveryId);
          },
        };
        sending.push(entry);
      }),
    mayStart: () => true,
    onRoom: () => undefined,
    onRelease: (jobs) => released.push(...jobs),
    onStoreDue: (jobs) => storeDue.push(...jobs),
    ...options,
  });
  onTestFinished(() => void dispatcher.stop());
  const fill = async (id: string, count: number, made: () => Partial<Job> = () => ({})) => {
    for (let index = 0; index < count; index += 1) dispatcher.add(makeTarget(id), makeJob(id, made()));
    dispatcher.pump();
    await untilSteady(sending);
  };
  const finishAll = async (id: string, end?: Partial<AttemptEnd>) => {
    for (const entry of sending.filter(({ targetId }) => targetId === id)) await entry.finish(end);
  };
  return { dispatcher, sending, released, storeDue, fill, finishAll };
}

/** Runs a few turns of the event loop. A dispatcher starts attempts in them. */
export async function runEventLoop(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the dispatcher starts nothing more: attempts to unproven targets are paced. */
export async function untilSteady(sending: readonly unknown[]): Promise<void> {
  for (let before = -1; before !== sending.length; ) {
    before = sending.length;
    await sleep(14);
    await runEventLoop();
  }
}

export const countOf = (sending: Sending[], id: string) => sending.filter(({ targetId }) => targetId === id).length;
export const countOfProject = (sending: Sending[], id: string) =>
  sending.filter(({ targetId }) => projectOf(targetId) === id).length;
