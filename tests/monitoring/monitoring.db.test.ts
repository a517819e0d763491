import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { DELIVERY_QUEUE } from '@/lib/delivery/workers/queue-metrics';
import { countRequest } from '@/lib/incoming/ingress/receive-request';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { startProcessFigures } from '@/lib/platform/process-figures';
import { RETENTION_COLLECTORS } from '@/lib/retention/figures/retention-metrics';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { countTunnelRequest } from '@/lib/tunnel/relay/exchange-log';
import { countDropped } from '@/lib/tunnel/request-log/record-request';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import type { ScrapedMetric } from './exposition';
import { scrapeNow } from './exposition';

/** A metric that an expression selects. */
interface Selector {
  metric: string;
  /** Names of the labels in its matchers. */
  labels: string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
const LABEL_LIST = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g;

/** Lists the selectors of a PromQL expression: the names that are neither functions, operators nor labels. */
function listSelectors(expression: string): Selector[] {
  const bare = expression
    .replaceAll('$__rate_interval', '5m')
    .replaceAll(LABEL_LIST, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b\d[\w.]*/g, ' ');
  return [...bare.matchAll(SELECTOR)].flatMap(([, metric = '', matchers = '', call]) => {
    if (call !== undefined || WORDS.has(metric)) return [];
    return [{ metric, labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map((match) => match[1] ?? '') }];
  });
}

/** Runs promtool; returns null when it is not installed. */
function runPromtool(args: string[], input = ''): { isOk: boolean; output: string } | null {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error !== undefined) return null;
  return { isOk: status === 0, output: stdout + stderr };
}

const FOLDER = 'deploy/grafana';
const RULE_TESTS = ['alerts.test.yaml', 'alerts.minutes.test.yaml'];

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}
interface Dashboard {
  __inputs: { name: string; pluginId: string }[];
  panels: { id: number; title: string; datasource?: { uid: string }; targets?: { expr: string }[] }[];
}

const alerts = parseYaml(readFileSync(`${FOLDER}/alerts.yaml`, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

useDatabase({ DATABASE_MAX_BYTES: '1000000000000' });

/** What a process shows that has done nothing yet. */
let fresh: Map<string, ScrapedMetric>;
let scraped: Map<string, ScrapedMetric>;
let stopFigures: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  fresh = await scrapeNow();
  for (const { name } of [DELIVERY_QUEUE, ...RETENTION_COLLECTORS]) setOnce(`metrics-collector-${name}`, undefined);
  await insertEvents(await insertProject(), 1);
  for (const job of RETENTION_JOBS) {
    await database().query('INSERT INTO retention_runs (id, job, ended_at) VALUES ($1, $2, now())', [newId(), job]);
  }
  const { key } = await makeTestProject();
  await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a', data: {} } });
  await call('POST', '/api/v1/auth/login', { body: { email: 'nobody@example.com', password: 'wrong' } });
  countRequest('stored');
  countTunnelRequest('relayed');
  countDropped(1);
  await database().query(
    `INSERT INTO workers (id, hostname, pid, version, under_way, waiting) VALUES ($1, 'a', 1, '1', 0, 0)`,
    [newId()],
  );
  stopFigures = startProcessFigures('worker');
  await waitFor('its row', async () => (await database().query('SELECT FROM process_figures')).rowCount === 1);
  scraped = await scrapeNow();
});

afterAll(() => stopFigures());

/** Tells why a selector matches nothing; null when it matches. */
function describeMiss({ metric, labels }: Selector): string | null {
  const name = [metric, metric.replace(/_(bucket|sum|count)$/, '')].find((each) => fresh.has(each));
  const found = scraped.get(name ?? '');
  if (found === undefined) return `${metric} is not on /metrics of a fresh process`;
  // Prometheus adds these two labels to everything that it scrapes.
  const own = labels.filter((label) => label !== 'job' && label !== 'instance');
  const missing = own.filter((label) => !Object.keys(found.samples).some((series) => series.includes(`${label}="`)));
  return missing.length === 0 ? null : `${metric} has no label ${missing.join()}`;
}

describe.each([
  ['the alert rules', rules.map(({ expr }) => expr)],
  ['the dashboard', queries],
])('%s', (_what, expressions) => {
  it('use only metrics that a fresh process declares, and their labels', () => {
    const selectors = expressions.flatMap(listSelectors);
    expect(selectors.length).toBeGreaterThanOrEqual(expressions.length);
    expect(selectors.map(describeMiss).filter((miss) => miss !== null)).toEqual([]);
  });

  it('are valid PromQL, by promtool when it is installed', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
    const file = path.join(folder, 'rules.json');
    const shown = expressions.map((expr) => expr.replaceAll('$__rate_interval', '5m'));
    writeFileSync(
      file,
      JSON.stringify({ groups: [{ name: 'all', rules: shown.map((expr, i) => ({ record: `r${i}`, expr })) }] }),
    );
    const said = runPromtool(['check', 'rules', file]);
    rmSync(folder, { recursive: true });
    expect(said?.isOk ?? true, said?.output).toBe(true);
    expect(shown.every((expr) => (expr.match(/[({[]/g)?.length ?? 0) === (expr.match(/[)}\]]/g)?.length ?? 0))).toBe(
      true,
    );
  });
});

describe('the alert rules', () => {
  it('have a known severity, a summary, a description, and a section of the runbook that says what to do', () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning'], alert).toContain(labels.severity);
      expect(annotations.summary.length, alert).toBeGreaterThan(10);
      expect(annotations.description.length, alert).toBeGreaterThan(30);
      expect(annotations.runbook).toBe(`docs/guides/runbook.md#${alert.toLowerCase()}`);
    }
    const sections = readFileSync('docs/guides/runbook.md', 'utf8').split(/^### /m).slice(1);
    const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));
    expect(titles.toSorted()).toEqual([...new Set(rules.map(({ alert }) => alert))].toSorted());
    for (const section of sections) expect(section).toMatch(/\*\*Meaning\.\*\* .*\*\*Look at\*\* .*\*\*Do\.\*\* /s);
  });

  it('each have a test in which it fires and one in which it does not; promtool passes them when it is installed', () => {
    const cases = RULE_TESTS.flatMap((name) => {
      const file = parseYaml(readFileSync(`${FOLDER}/${name}`, 'utf8')) as {
        tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
      };
      return file.tests.flatMap((test) => test.alert_rule_test);
    });
    for (const { alert } of rules) {
      const counts = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts.length);
      expect(counts, alert).toContain(0);
      expect(Math.max(...counts), alert).toBeGreaterThan(0);
    }
    for (const args of [
      ['check', 'rules', `${FOLDER}/alerts.yaml`],
      ['test', 'rules', ...RULE_TESTS.map((name) => `${FOLDER}/${name}`)],
    ]) {
      const said = runPromtool(args);
      expect(said?.isOk ?? true, said?.output).toBe(true);
    }
  });
});

describe('the dashboard', () => {
  it('asks for its data source on import, and has panels with unique ids', () => {
    expect(dashboard.__inputs).toMatchObject([{ name: 'DS_PROMETHEUS', pluginId: 'prometheus' }]);
    const sources = dashboard.panels.flatMap(({ datasource }) => (datasource === undefined ? [] : [datasource.uid]));
    expect(sources.length).toBeGreaterThan(10);
    for (const source of sources) expect(source).toMatch(/^\$\{DS_PROMETHEUS\}$/);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe('the text of /metrics', () => {
  it('uses no label that Prometheus adds itself and would therefore rename', () => {
    for (const [name, { samples }] of scraped) {
      expect(
        Object.keys(samples).filter((series) => /[{,](job|instance)="/.test(series)),
        name,
      ).toEqual([]);
    }
  });

  it('passes promtool when it is installed', () => {
    const text = [...scraped].map(([name, { type, help, samples }]) => {
      const lines = Object.entries(samples).map(([series, value]) => `${series} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    });
    const said = runPromtool(['check', 'metrics'], text.join(''));
    expect(said?.isOk ?? true, said?.output).toBe(true);
    const gauges = [...scraped].filter(([, { type }]) => type !== 'counter').map(([name]) => name);
    expect(gauges.filter((name) => name.endsWith('_total'))).toEqual([]);
  });
});

describe('the guide', () => {
  const guide = readFileSync('docs/guides/observability.md', 'utf8');
  /** The metrics of the guide's tables, with the names of their labels. */
  const documented = new Map(
    [...guide.matchAll(/^\| `([a-z_]+)(?:\{([a-z_, ]+)\})?` \| (?:counter|gauge|histogram)/gm)].map(
      ([, name = '', labels = '']) => [name, labels.split(', ').filter((label) => label !== '')],
    ),
  );
  const ofProduct = (of = scraped) => [...of].filter(([name]) => !/^(nodejs|process)_/.test(name));

  it('has every metric of the product, and no other; a fresh process declares them all', () => {
    const names = (of: Map<string, ScrapedMetric>) =>
      ofProduct(of)
        .map(([name]) => name)
        .sort();
    expect([...documented.keys()].sort()).toEqual(names(scraped));
    expect(names(fresh)).toEqual(names(scraped));
  });

  it('has the labels of each metric', () => {
    for (const [name, { samples }] of ofProduct()) {
      const labels = Object.keys(samples).flatMap((series) =>
        [...series.matchAll(/[{,](\w+)="/g)].map(([, label]) => label),
      );
      const own = [...new Set(labels)].filter((label) => label !== 'le').sort();
      if (own.length > 0) expect([...(documented.get(name) ?? [])].sort(), name).toEqual(own);
    }
  });

  it('has every alert', () => {
    for (const { alert } of rules) expect(guide).toContain(`\`${alert}\``);
  });
});
