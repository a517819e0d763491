import { database } from '@/lib/platform/db';
import type { TenancyRoute } from '@/tests/tenancy-routes';
import { type Ground, makeGround } from './ground';
import { planRequests } from './hostile-request';
import { judge } from './judge';
import { describeRequest, type Plan, render } from './plan';
import { sendRaw } from './raw-http';

export interface StormOptions {
  /** Servers that take turns: each gets every second request, third … */
  ports: readonly number[];
  seed: number;
  variations: number;
  /** Sends this one alone. */
  index?: number;
}

export interface StormReport {
  sent: number;
  /** How often each status was answered; 0: none. */
  statuses: Record<string, number>;
  slowestMs: number;
  /** What is wrong, each with the request that showed it. */
  faults: string[];
}

const CONCURRENCY = 16;
const BATCH = 40;

/** Routes that end what the next request needs: a session, a token, a password. Every DELETE does too. */
const SPENDS =
  /^POST .*\/(logout|refresh|reset-password|change-password|verify-email|accept-invitation|approve|deny|token|close-sessions)$/;

/** Sends a route its variations, many at once, and judges every answer. */
export async function runStorm(route: TenancyRoute, options: StormOptions): Promise<StormReport> {
  const { seed, variations, index: only } = options;
  const planned = planRequests(route, { seed, count: Math.max(variations, (only ?? 0) + 1) }).map((plan, index) => ({
    plan,
    index,
  }));
  const chosen = only === undefined ? planned : planned.filter(({ index }) => index === only);
  const report: StormReport = { sent: 0, statuses: {}, slowestMs: 0, faults: [] };
  let ground: Ground | null = null;
  // The first, which is valid, goes alone: no other one has ended its session before it.
  for (let begin = 0; begin < chosen.length; begin += begin === 0 ? 1 : BATCH) {
    const batch = chosen.slice(begin, begin === 0 ? 1 : begin + BATCH);
    await forgetTries();
    ground ??= await makeGround(route);
    if (await runBatch(route, batch, { ...options, ground }, report)) ground = null;
  }
  return report;
}

/** Sends a batch. @returns whether the ground is spent */
async function runBatch(
  route: TenancyRoute,
  batch: { plan: Plan; index: number }[],
  { ground, ports, seed }: StormOptions & { ground: Ground },
  report: StormReport,
): Promise<boolean> {
  const waiting = [...batch];
  let isSpent = false;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const request = render(next.plan, ground);
      const answer = await sendRaw(ports[next.index % ports.length] ?? 0, request);
      const status = 'status' in answer ? answer.status : 0;
      report.sent += 1;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.slowestMs = Math.max(report.slowestMs, answer.ms);
      if (status >= 200 && status < 300) isSpent ||= request.method === 'DELETE' || SPENDS.test(route.name);
      const fault = judge(request, answer);
      if (fault === null) continue;
      report.faults.push(`${route.name}, seed ${seed}, variation ${next.index}: ${fault}\n${describeRequest(request)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return isSpent;
}

/** Else a storm would meet rate limits and lockouts alone. Between batches: it would wait for who is counted just now. */
async function forgetTries(): Promise<void> {
  await database().query('DELETE FROM rate_limits');
  await database().query('DELETE FROM login_lockouts');
}
