import { setOnce } from '@/lib/platform/globals';
import { call } from '@/tests/http/api-request';
import { parseExposition, type ScrapedMetric } from './exposition';

/** Reads /metrics as it is now, not the text of the last second. */
export async function scrapeNow(): Promise<Map<string, ScrapedMetric>> {
  setOnce('metrics-text', undefined);
  return parseExposition((await call('GET', '/metrics')).text);
}
