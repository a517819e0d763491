import { onTestFinished } from 'vitest';
import { makeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { DeliveryWorker, type WorkerOptions } from '@/lib/delivery/engine/worker';
import { readDeliveries } from '@/tests/fixtures/deliveries';

const running = new Set<DeliveryWorker>();

/** Starts a worker in this process, with its own connections; it stops after the test. */
export async function startWorker(options: Partial<WorkerOptions> = {}): Promise<DeliveryWorker> {
  const worker = new DeliveryWorker({
    sendMail: async () => undefined,
    pools: makeDeliveryPools(),
    ...options,
  });
  running.add(worker);
  onTestFinished(stopAll);
  await worker.start();
  return worker;
}

/** Stops a worker; running attempts get up to `deadlineMs` to end. */
export async function stopWorker(worker: DeliveryWorker, deadlineMs = 3_000): Promise<void> {
  running.delete(worker);
  await worker.stop(deadlineMs);
}

async function stopAll(): Promise<void> {
  await Promise.all([...running].map((worker) => stopWorker(worker)));
}

/** Whether an endpoint has this many deliveries, none of them pending. */
export const isSettled = (endpointId: string, count: number) => async () => {
  const deliveries = await readDeliveries(endpointId);
  return deliveries.length === count && deliveries.every(({ status }) => status !== 'PENDING');
};
