import { compactJson } from '@/components/ui/format-json';
import { shellQuote } from '@/components/ui/shell-quote';

/** A command that sends the same event anew. The key is a variable of the shell: a real one is not known here. */
export function eventCurl(baseUrl: string, key: string, event: { type: string; data: unknown }): string {
  const body = compactJson({ type: event.type, data: event.data });
  return `curl ${shellQuote(`${baseUrl}/api/v1/events`)} \\
  -H "X-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(body)}`;
}
