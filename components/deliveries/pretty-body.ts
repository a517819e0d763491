import { prettyJson } from '@/components/ui/format-json';
import type { CodeLanguage } from '@/components/ui/highlight-code';

/** Indents a JSON response body; returns anything else unchanged, including truncated JSON. */
export function prettyBody(body: string): { code: string; language: CodeLanguage } {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return { code: prettyJson(value), language: 'json' };
  } catch {
    // Not JSON, or truncated at the stored limit.
  }
  return { code: body, language: 'text' };
}
