import { compactJson } from '@/components/ui/format-json';
import { shellQuote } from '@/components/ui/shell-quote';

/**
 * Returns a curl command that posts the body of a delivery to its receiver, for testing by hand. It has no signature,
 * since that needs the endpoint's secret; a receiver that verifies signatures refuses it.
 */
export function deliveryCurl(
  url: string,
  event: { id: string; type: string; createdAt: string; data: unknown },
): string {
  const body = compactJson({ type: event.type, timestamp: event.createdAt, data: event.data });
  return `curl ${shellQuote(url)} \\
  -H "Content-Type: application/json" \\
  -H ${shellQuote(`webhook-id: ${event.id}`)} \\
  -d ${shellQuote(body)}`;
}
