import { compactJson } from '@/components/ui/format-json';
import { shellQuote } from '@/components/ui/shell-quote';

/** Returns a curl command that sends the same event again. `key` can be a shell variable. */
export function eventCurl(baseUrl: string, key: string, event: { type: string; data: unknown }): string {
  const body = compactJson({ type: event.type, data: event.data });
  return `curl ${shellQuote(`${baseUrl}/api/v1/events`)} \\
  -H "X-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(body)}`;
}
