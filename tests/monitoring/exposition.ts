import { setOnce } from '@/lib/platform/globals';
import { call } from '@/tests/http/api-request';

/** One metric of a scrape. */
export interface ScrapedMetric {
  type: string;
  help: string;
  /** Values by series, `name{a="b"}`. */
  samples: Record<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const HELP_LINE = new RegExp(`^# HELP (${NAME}) (\\S.*)$`);
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);
/** A value is what Go parses; prom-client writes Nan. */
const SAMPLE_LINE = new RegExp(`^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (-?[0-9.]+(?:e[-+]?\\d+)?|[-+]Inf|Na[Nn])$`);
const SUFFIXES: Record<string, readonly string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads the text format of Prometheus, strictly: every metric appears once, with HELP, TYPE and then only its samples; no
 * series appears twice; a counter ends in _total and is not negative.
 *
 * @throws Error naming the line at fault
 */
export function parseExposition(text: string): Map<string, ScrapedMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line has no newline');
  const metrics = new Map<string, ScrapedMetric>();
  let [name, metric]: [string, ScrapedMetric | undefined] = ['', undefined];
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const help = HELP_LINE.exec(line);
    if (help !== null) {
      name = help[1] ?? '';
      if (metrics.has(name)) throw new Error(`duplicate metric: ${line}`);
      metric = { type: '', help: help[2] ?? '', samples: {} };
      metrics.set(name, metric);
    } else if (line.startsWith('#')) {
      const type = TYPE_LINE.exec(line);
      if (metric === undefined || type?.[1] !== name || metric.type !== '') throw new Error(`out of place: ${line}`);
      metric.type = type[2] ?? '';
    } else {
      addSample(line, name, metric);
    }
  }
  return metrics;
}

function addSample(line: string, name: string, metric: ScrapedMetric | undefined): void {
  const sample = SAMPLE_LINE.exec(line);
  if (sample === null) throw new Error(`not a sample: ${line}`);
  const [, sampleName = '', labels = '', figure = ''] = sample;
  const suffixes = SUFFIXES[metric?.type ?? ''] ?? [];
  if (metric === undefined || !suffixes.some((suffix) => sampleName === name + suffix)) {
    throw new Error(`sample of another metric: ${line}`);
  }
  const series = sampleName + labels;
  if (series in metric.samples) throw new Error(`duplicate series: ${line}`);
  const value = Number(figure.replace('Inf', 'Infinity').replace('Nan', 'NaN'));
  if (metric.type === 'counter' && !(name.endsWith('_total') && value >= 0))
    throw new Error(`invalid counter: ${line}`);
  metric.samples[series] = value;
}

/** Reads /metrics as it is now, not the text of the last second. */
export async function scrapeNow(): Promise<Map<string, ScrapedMetric>> {
  setOnce('metrics-text', undefined);
  return parseExposition((await call('GET', '/metrics')).text);
}
