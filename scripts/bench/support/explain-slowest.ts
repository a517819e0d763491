import { database } from '@/lib/platform/db';

/** Runs `work`, then explains every statement that it sent. @returns a line for each text, with its slowest execution */
export async function explainSlowest(work: () => Promise<void>): Promise<string[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  const pool = database();
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const [config] = args as [{ text: string; values: unknown[] }];
      if (typeof config === 'object') sent.push(config);
      return (query as (...given: unknown[]) => unknown)(...args);
    },
  });
  await work();
  Object.assign(pool, { query });
  const slowest = new Map<string, number>();
  for (const { text, values } of sent) {
    const { rows } = await query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const ms = rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? 0;
    slowest.set(text, Math.max(ms, slowest.get(text) ?? 0));
  }
  return [...slowest].map(([text, ms]) => `${ms.toFixed(1).padStart(8)} ms  ${text.replace(/\s+/g, ' ').slice(0, 90)}`);
}
