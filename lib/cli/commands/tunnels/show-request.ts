import type { Context } from '@/lib/cli/context';
import { formatBody } from '@/lib/cli/output/format-body';
import { sanitize } from '@/lib/cli/output/sanitize';
import { projectOptions } from '@/lib/cli/session/project-options';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';
import { REQUEST_FIELDS } from './tunnel-columns';

/** Shows a request to a tunnel and its response. */
export async function showRequest(context: Context, tunnelId: string, requestId: string): Promise<void> {
  const { out } = context;
  const found = await context.client.tunnels.getRequest(tunnelId, requestId, await projectOptions(context));
  out.record(found, REQUEST_FIELDS);
  if (out.isJson) return;
  const { requestHeaders, requestBody, requestBodyBase64, requestBodyTruncated } = found;
  showMessage(context, 'Request', requestHeaders, {
    ...{ text: requestBody, base64: requestBodyBase64, isTruncated: requestBodyTruncated },
  });
  const { responseHeaders, responseBody, responseBodyBase64, responseBodyTruncated } = found;
  showMessage(context, 'Response', responseHeaders, {
    ...{ text: responseBody, base64: responseBodyBase64, isTruncated: responseBodyTruncated },
  });
}

function showMessage(
  { out }: Context,
  title: string,
  headers: TunnelRequestDetail['requestHeaders'],
  body: { text: string | null; base64: string | null; isTruncated: boolean },
): void {
  const { bold, dim } = out.style;
  out.text(`\n${bold(title)}`);
  for (const [name, value] of headers ?? []) out.text(`${dim(`${sanitize(name)}:`)} ${sanitize(value)}`);
  const shown = formatBody(body);
  if (shown !== '') out.text(`\n${shown}`);
  if (body.isTruncated) out.text(dim('… only the beginning is stored'));
}
