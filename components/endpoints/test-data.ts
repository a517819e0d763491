import { parseJson } from '@/components/auth-session/request';

/** Parses the data of a test event; null unless it is a JSON object. Numbers keep their digits if the browser supports it. */
export function parseTestData(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
