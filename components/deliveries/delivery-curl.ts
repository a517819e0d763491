import { compactJson } from '@/components/ui/format-json';
import { shellQuote } from '@/components/ui/shell-quote';

/**
 * A command that posts the body of a delivery to its receiver, to try the receiver by hand. It carries no signature:
 * that needs the endpoint's secret, and a receiver that checks will refuse it.
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
