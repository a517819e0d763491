import { database } from '@/lib/platform/db';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import { findFault } from './find-fault';
import { type Fixture, makeFixture } from './fixture';
import { planRequests } from './hostile-request';
import { describeRequest, type Plan, render } from './plan';
import { sendRaw } from './raw-http';

export interface FuzzOptions {
  /** Servers that take turns with the requests. */
  ports: readonly number[];
  seed: number;
  variations: number;
  /** Sends only this variation. */
  index?: number;
}

export interface FuzzReport {
  sent: number;
  /** Number of responses by status; 0: no response. */
  statuses: Record<string, number>;
  slowestMs: number;
  /** Each fault with the request that caused it. */
  faults: string[];
}

const CONCURRENCY = 16;
const BATCH = 40;

/** Routes that use up what the next request needs: a session, a token, a password. Every DELETE does too. */
const CONSUMES =
  /^POST .*\/(logout|refresh|restore|reset-password|change-password|verify-email|accept-invitation|approve|deny|token|close-sessions|portal\/sessions)$/;

/** Sends the variations of a route's requests, many at once, and checks every response. */
export async function fuzzRoute(route: TenancyRoute, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, variations, index: only } = options;
  const planned = planRequests(route, { seed, count: Math.max(variations, (only ?? 0) + 1) }).map((plan, index) => ({
    plan,
    index,
  }));
  const chosen = only === undefined ? planned : planned.filter(({ index }) => index === only);
  const report: FuzzReport = { sent: 0, statuses: {}, slowestMs: 0, faults: [] };
  let fixture: Fixture | null = null;
  // The first request is valid and goes alone, so that no other one can end its session.
  for (let begin = 0; begin < chosen.length; begin += begin === 0 ? 1 : BATCH) {
    const batch = chosen.slice(begin, begin === 0 ? 1 : begin + BATCH);
    await resetLimits();
    fixture ??= await makeFixture(route);
    if (await runBatch(route, batch, { ...options, fixture }, report)) fixture = null;
  }
  return report;
}

/** Sends a batch. @returns whether the fixture is used up */
async function runBatch(
  route: TenancyRoute,
  batch: { plan: Plan; index: number }[],
  { fixture, ports, seed }: FuzzOptions & { fixture: Fixture },
  report: FuzzReport,
): Promise<boolean> {
  const waiting = [...batch];
  let isUsedUp = false;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const request = render(next.plan, fixture);
      const answer = await sendRaw(ports[next.index % ports.length] ?? 0, request);
      const status = 'status' in answer ? answer.status : 0;
      report.sent += 1;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.slowestMs = Math.max(report.slowestMs, answer.ms);
      if (status >= 200 && status < 300) isUsedUp ||= request.method === 'DELETE' || CONSUMES.test(route.name);
      const fault = findFault(request, answer);
      if (fault === null) continue;
      report.faults.push(`${route.name}, seed ${seed}, variation ${next.index}: ${fault}\n${describeRequest(request)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return isUsedUp;
}

/**
 * Otherwise most requests would be rate limited or locked out. Runs between batches, because running requests lock the
 * rows.
 */
async function resetLimits(): Promise<void> {
  await database().query('DELETE FROM rate_limits');
  await database().query('DELETE FROM login_lockouts');
}
