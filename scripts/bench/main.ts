import { buildStale, PAGES, PROCESSES } from '@/scripts/start/build';

const BENCHMARKS: Record<string, () => Promise<{ main(args: string[]): Promise<void> }>> = {
  ingest: () => import('./ingest'),
  delivery: () => import('./delivery'),
  retention: () => import('./retention'),
  'light-load': () => import('./light-load'),
  pages: () => import('./pages'),
  fairness: () => import('./fairness'),
  'hostile-tenants': () => import('./hostile-tenants'),
  scale: () => import('./scale'),
  tunnel: () => import('./tunnel'),
  customers: () => import('./customers'),
  alerts: () => import('./alerts'),
  'event-types': () => import('./event-types'),
  filters: () => import('./filters'),
  chaos: () => import('./chaos'),
};

/** Runs the named benchmark with the other arguments. The process exits with 1 when a target is missed. */
export async function main([name = '', ...args]: string[]): Promise<void> {
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined) {
    process.stderr.write(`usage: npm run bench -- ${Object.keys(BENCHMARKS).join('|')}\n`);
    process.exit(1);
  }
  await buildStale([...PROCESSES, ...PAGES], new AbortController().signal);
  await (await benchmark()).main(args);
  process.exit();
}
