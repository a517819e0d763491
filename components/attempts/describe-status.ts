import type { Exchanged } from '@/lib/delivery/schema';

/** The names of common statuses. `STATUS_CODES` of Node does not exist in the browser. */
const NAMES: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Returns a status with its name, such as "500 Internal Server Error"; the number alone without a known name. */
export function describeStatus(status: number): string {
  const name = NAMES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

/** Names the status in a reason of the API, such as "Answered with status 302: redirects are not followed". */
export function describeReason(error: string): string {
  return error.replace(/^Answered with status (\d+)/, (_, status: string) => describeStatus(Number(status)));
}

/** Describes how an attempt ended: its status, and why it failed where the status does not say so. */
export function describeOutcome({ responseStatus, error }: Pick<Exchanged, 'responseStatus' | 'error'>): string {
  if (responseStatus === null) return error || 'No response';
  const status = describeStatus(responseStatus);
  if (error === null || error === '') return status;
  const reason = describeReason(error);
  return reason.startsWith(status) ? reason : `${status}: ${reason}`;
}
