import type { IncomingEventDetail, Source } from '@/lib/incoming/schema';

type Signer = Pick<Source, 'provider' | 'hasSecret' | 'signatureHeader' | 'signaturePrefix'>;

/** The header that holds the signature of each provider, and what its value starts with. */
const SIGNATURES = {
  STANDARD_WEBHOOKS: { header: 'webhook-signature', prefix: 'v1,' },
  STRIPE: { header: 'Stripe-Signature', prefix: 't=' },
  GITHUB: { header: 'X-Hub-Signature-256', prefix: 'sha256=' },
  SHOPIFY: { header: 'X-Shopify-Hmac-Sha256', prefix: '' },
  SLACK: { header: 'X-Slack-Signature', prefix: 'v0=' },
} as const;

/** Where each provider that signs a timestamp puts it, in seconds. */
const TIMES: Partial<Record<Source['provider'], (header: HeaderReader) => string | undefined>> = {
  STANDARD_WEBHOOKS: (header) => header('webhook-timestamp'),
  SLACK: (header) => header('x-slack-request-timestamp'),
  STRIPE: (header) => /(?:^|,)\s*t=(\d+)/.exec(header('stripe-signature') ?? '')?.[1],
};

const TOLERANCE_MS = 5 * 60_000;
/** Those who must not replay the event do not see its signature. */
const REDACTED = '[redacted]';

type HeaderReader = (name: string) => string | undefined;

/**
 * Returns why an incoming event was not verified, as far as the event and the current state of its source show. `source` is
 * undefined after it is deleted.
 */
export function describeUnverified(
  event: Pick<IncomingEventDetail, 'headers' | 'createdAt'>,
  source: Signer | undefined,
): string {
  const mismatch = 'The signature doesn’t match the source’s secret.';
  if (source === undefined || source.provider === 'NONE') return mismatch;
  if (!source.hasSecret) return 'The source has no secret yet, so we can’t verify signatures.';
  const read: HeaderReader = (name) => event.headers.find(([given]) => given === name.toLowerCase())?.[1];
  const { header, prefix } =
    source.provider === 'GENERIC_HMAC'
      ? { header: source.signatureHeader ?? 'X-Signature', prefix: source.signaturePrefix ?? '' }
      : SIGNATURES[source.provider];
  const value = read(header);
  if (value === undefined) return `The request has no ${header} header, so it isn’t signed.`;
  if (value !== REDACTED && !value.startsWith(prefix)) return `The ${header} header doesn’t start with ${prefix}`;
  const seconds = Number(TIMES[source.provider]?.(read) ?? Number.NaN);
  const isLate = Math.abs(seconds * 1000 - new Date(event.createdAt).getTime()) > TOLERANCE_MS;
  return isLate ? 'Its timestamp is more than five minutes off.' : mismatch;
}
