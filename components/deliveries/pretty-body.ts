import { prettyJson } from '@/components/ui/format-json';
import type { CodeLanguage } from '@/components/ui/highlight-code';

/** A response body laid out for reading: JSON indented, everything else, also cut JSON, as it came. */
export function prettyBody(body: string): { code: string; language: CodeLanguage } {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return { code: prettyJson(value), language: 'json' };
  } catch {
    // Not JSON, or cut off at the limit of what is kept.
  }
  return { code: body, language: 'text' };
}
