import { CreditCard, Fingerprint, GitBranch, Globe, Hash, type LucideIcon, ShoppingBag, Webhook } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { SignatureEncoding, Source, SourceProvider } from '@/lib/incoming/schema';

/** Who generates the signing secret: we do, for the user to enter at the provider; the provider does; or nobody signs. */
type SecretMaker = 'us' | 'provider' | 'nobody';

interface Provider {
  name: string;
  /** What the source is for, below its name. */
  summary: string;
  icon: LucideIcon;
  /** The colors of its mark. */
  tint: string;
  secretMaker: SecretMaker;
}

/** The providers in the order in which they are offered. */
export const PROVIDERS: Record<SourceProvider, Provider> = {
  GITHUB: {
    name: 'GitHub',
    summary: 'Repositories and organizations',
    icon: GitBranch,
    tint: 'bg-zinc-200 text-zinc-800 dark:bg-zinc-700 dark:text-zinc-100',
    secretMaker: 'us',
  },
  STRIPE: {
    name: 'Stripe',
    summary: 'Payments, invoices, subscriptions',
    icon: CreditCard,
    tint: 'bg-violet-100 text-violet-800 dark:bg-violet-950 dark:text-violet-200',
    secretMaker: 'provider',
  },
  SHOPIFY: {
    name: 'Shopify',
    summary: 'Orders, products, customers',
    icon: ShoppingBag,
    tint: 'bg-lime-100 text-lime-900 dark:bg-lime-950 dark:text-lime-200',
    secretMaker: 'provider',
  },
  SLACK: {
    name: 'Slack',
    summary: 'The Events API of a Slack app',
    icon: Hash,
    tint: 'bg-fuchsia-100 text-fuchsia-900 dark:bg-fuchsia-950 dark:text-fuchsia-200',
    secretMaker: 'provider',
  },
  STANDARD_WEBHOOKS: {
    name: 'Standard Webhooks',
    summary: 'Any sender that follows the standard',
    icon: Webhook,
    tint: 'bg-sky-100 text-sky-900 dark:bg-sky-950 dark:text-sky-200',
    secretMaker: 'us',
  },
  GENERIC_HMAC: {
    name: 'Custom (HMAC)',
    summary: 'HMAC-SHA-256 of the body',
    icon: Fingerprint,
    tint: 'bg-amber-100 text-amber-900 dark:bg-amber-950 dark:text-amber-200',
    secretMaker: 'us',
  },
  NONE: {
    name: 'No signature',
    summary: 'Any sender. Requests aren’t verified',
    icon: Globe,
    tint: 'bg-sunken text-muted dark:bg-border',
    secretMaker: 'nobody',
  },
};

/** Every provider, in the order in which they are offered. */
export const PROVIDER_IDS = Object.keys(PROVIDERS) as SourceProvider[];

const SIZES = { sm: 'size-6 rounded-md [&_svg]:size-3.5', md: 'size-9 rounded-lg [&_svg]:size-5' } as const;

/** The drawn mark of a provider, beside its name. Decorative. */
export function ProviderMark({ provider, size = 'sm' }: { provider: SourceProvider; size?: keyof typeof SIZES }) {
  const { icon: Icon, tint } = PROVIDERS[provider];
  return (
    <span aria-hidden="true" className={cn('inline-flex shrink-0 items-center justify-center', SIZES[size], tint)}>
      <Icon />
    </span>
  );
}

/** Where a generic HMAC finds its signature, as a form holds it. */
export interface SignatureValues {
  signatureHeader: string;
  signatureEncoding: SignatureEncoding;
  signaturePrefix: string;
}

/** Returns the values of a source, or the API's defaults for a new one. */
export function signatureValuesOf(source?: Source): SignatureValues {
  return {
    signatureHeader: source?.signatureHeader ?? 'X-Signature',
    signatureEncoding: source?.signatureEncoding ?? 'hex',
    signaturePrefix: source?.signaturePrefix ?? '',
  };
}

/** Returns the header that a sender must set: "X-Signature: sha256=<64 hex digits>". */
export function exampleHeader({ signatureHeader, signatureEncoding, signaturePrefix }: SignatureValues): string {
  const digest = signatureEncoding === 'hex' ? '<64 hex digits>' : '<44 base64 characters>';
  return `${signatureHeader.trim() || 'X-Signature'}: ${signaturePrefix.trim()}${digest}`;
}
