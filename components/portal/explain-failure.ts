import { describeReason, describeStatus } from '@/components/attempts/describe-status';
import type { Exchanged } from '@/lib/delivery/schema';
import type { PortalDelivery } from '@/lib/portal/schema';

/** Why a request did not arrive, for people who see it for the first time. */
export interface Explanation {
  /** A sentence about what happened. */
  what: string;
  /** A sentence about what to do. */
  advice: string;
}

const WITHOUT_RESPONSE: [RegExp, Explanation][] = [
  [
    /^No response within (\d+ s)/,
    {
      what: 'Your server took the request and didn’t answer within $1.',
      advice: 'Answer at once with a status such as 200, and do the work afterward.',
    },
  ],
  [
    /^No connection within (\d+ s)|^Host unreachable/,
    {
      what: 'We couldn’t reach your server.',
      advice: 'Check that it runs, and that no firewall blocks requests from the internet.',
    },
  ],
  [
    /^Connection refused/,
    {
      what: 'Your server refused the connection: nothing listens at this address and port.',
      advice: 'Start your server, and check the port in the URL.',
    },
  ],
  [
    /^Host name has more/,
    {
      what: 'The host name of the URL has too many addresses.',
      advice: 'Use a host name with a few addresses.',
    },
  ],
  [
    /^Host name|^DNS lookup failed/,
    {
      what: 'We couldn’t find the host name of the URL.',
      advice: 'Check its spelling, and that its DNS record is public.',
    },
  ],
  [
    /^Address is/,
    {
      what: 'The URL leads to an address that isn’t public.',
      advice: 'Use a URL that can be reached from the internet.',
    },
  ],
  [
    /^TLS/,
    {
      what: 'Your server has no certificate that we can trust.',
      advice: 'Install a valid certificate for this host name, with its entire chain.',
    },
  ],
  [
    /^Response /,
    {
      what: 'Your server’s answer isn’t valid HTTP.',
      advice: 'Check that a web server listens at this URL, and which headers it sends.',
    },
  ],
  [
    /^Connection closed/,
    {
      what: 'Your server closed the connection before it had answered completely.',
      advice: 'Look for a crash or a restart in the logs of your server.',
    },
  ],
];

const BY_STATUS: Record<number, string> = {
  400: 'Your code refuses the request. Its logs, and the answer below, may say why.',
  401: 'Your code refuses the request. Check that it verifies the signature with the secret of this endpoint.',
  403: 'Your code, or a firewall in front of it, refuses the request. Check the secret, and let our requests through.',
  404: 'Nothing is at this URL. Check its path.',
  405: 'This URL doesn’t take POST requests. Check its path.',
  410: 'Your server says that this URL is gone for good, so we turned the endpoint off.',
  413: 'Your server takes no bodies of this size. Raise its limit.',
  429: 'Your server gets more requests than it takes. We try again later.',
};

/** Explains why an attempt failed, by its status and the reason of the API. Null if it succeeded. */
export function explainFailure({
  responseStatus: status,
  error,
}: Pick<Exchanged, 'responseStatus' | 'error'>): Explanation | null {
  if (status === null) return error === null ? null : explainReason(error);
  if (status >= 200 && status < 300) return error === null ? null : explainReason(error);
  const what = `Your server answered ${describeStatus(status)}.`;
  const known = BY_STATUS[status];
  if (known !== undefined) return { what, advice: known };
  if (status >= 500) {
    return { what, advice: 'Something failed in your server, or in a proxy in front of it. Look in its logs.' };
  }
  if (status >= 300 && status < 400) {
    return { what, advice: 'We don’t follow redirects. Enter the URL that it leads to.' };
  }
  return { what, advice: 'Answer with a status from 200 to 299 once you have the event.' };
}

/** Explains why the last attempt of a delivery failed. Null if it succeeded, or if there was none. */
export function explainLastFailure({
  attemptCount,
  lastResponseStatus: responseStatus,
  lastError: error,
}: Pick<PortalDelivery, 'attemptCount' | 'lastResponseStatus' | 'lastError'>): Explanation | null {
  return attemptCount === 0 ? null : explainFailure({ responseStatus, error });
}

function explainReason(error: string): Explanation {
  for (const [pattern, { what, advice }] of WITHOUT_RESPONSE) {
    const match = pattern.exec(error);
    if (match !== null) return { what: what.replace('$1', match[1] ?? ''), advice };
  }
  return { what: `${describeReason(error)}.`, advice: 'Check that your server runs, and look in its logs.' };
}
