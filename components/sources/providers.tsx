import {
  CalendarDays,
  CreditCard,
  Fingerprint,
  Gamepad2,
  GitBranch,
  GitMerge,
  Globe,
  Hash,
  KeyRound,
  LayoutGrid,
  LifeBuoy,
  type LucideIcon,
  MessagesSquare,
  Receipt,
  Send,
  ShoppingBag,
  Store,
  Users,
  Video,
  Webhook,
} from 'lucide-react';
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
  CALENDLY: {
    name: 'Calendly',
    summary: 'Booked and canceled meetings',
    icon: CalendarDays,
    tint: 'bg-blue-100 text-blue-800 dark:bg-blue-950 dark:text-blue-200',
    secretMaker: 'us',
  },
  DISCORD: {
    name: 'Discord',
    summary: 'Webhook events of an app',
    icon: Gamepad2,
    tint: 'bg-indigo-100 text-indigo-800 dark:bg-indigo-950 dark:text-indigo-200',
    secretMaker: 'provider',
  },
  GITLAB: {
    name: 'GitLab',
    summary: 'Projects and groups, by secret token',
    icon: GitMerge,
    tint: 'bg-orange-100 text-orange-900 dark:bg-orange-950 dark:text-orange-200',
    secretMaker: 'us',
  },
  HUBSPOT: {
    name: 'HubSpot',
    summary: 'Contacts, companies, deals',
    icon: Users,
    tint: 'bg-orange-100 text-orange-900 dark:bg-orange-950 dark:text-orange-200',
    secretMaker: 'provider',
  },
  META: {
    name: 'Meta',
    summary: 'Facebook, Instagram, WhatsApp',
    icon: MessagesSquare,
    tint: 'bg-blue-100 text-blue-800 dark:bg-blue-950 dark:text-blue-200',
    secretMaker: 'provider',
  },
  MICROSOFT_GRAPH: {
    name: 'Microsoft Graph',
    summary: 'Change notifications of Microsoft 365',
    icon: LayoutGrid,
    tint: 'bg-cyan-100 text-cyan-900 dark:bg-cyan-950 dark:text-cyan-200',
    secretMaker: 'us',
  },
  PADDLE: {
    name: 'Paddle',
    summary: 'Transactions and subscriptions',
    icon: Receipt,
    tint: 'bg-yellow-100 text-yellow-900 dark:bg-yellow-950 dark:text-yellow-200',
    secretMaker: 'provider',
  },
  SQUARE: {
    name: 'Square',
    summary: 'Payments, orders, customers',
    icon: Store,
    tint: 'bg-zinc-200 text-zinc-800 dark:bg-zinc-700 dark:text-zinc-100',
    secretMaker: 'provider',
  },
  TELEGRAM: {
    name: 'Telegram',
    summary: 'Updates of a bot',
    icon: Send,
    tint: 'bg-sky-100 text-sky-900 dark:bg-sky-950 dark:text-sky-200',
    secretMaker: 'us',
  },
  ZENDESK: {
    name: 'Zendesk',
    summary: 'Tickets, users, organizations',
    icon: LifeBuoy,
    tint: 'bg-emerald-100 text-emerald-900 dark:bg-emerald-950 dark:text-emerald-200',
    secretMaker: 'provider',
  },
  ZOOM: {
    name: 'Zoom',
    summary: 'Meetings, recordings, users',
    icon: Video,
    tint: 'bg-blue-100 text-blue-800 dark:bg-blue-950 dark:text-blue-200',
    secretMaker: 'provider',
  },
  STANDARD_WEBHOOKS: {
    name: 'Standard Webhooks',
    summary: 'Any sender that follows it: Svix, Clerk, Resend',
    icon: Webhook,
    tint: 'bg-sky-100 text-sky-900 dark:bg-sky-950 dark:text-sky-200',
    secretMaker: 'us',
  },
  GENERIC_HMAC: {
    name: 'Custom (HMAC)',
    summary: 'Any sender that signs with an HMAC',
    icon: Fingerprint,
    tint: 'bg-amber-100 text-amber-900 dark:bg-amber-950 dark:text-amber-200',
    secretMaker: 'us',
  },
  TOKEN: {
    name: 'Custom (token)',
    summary: 'Any sender with a secret in a header',
    icon: KeyRound,
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

/** Whether a provider is one sender, and not a way to sign that many use. */
export function isNamed(provider: SourceProvider): boolean {
  return !['STANDARD_WEBHOOKS', 'GENERIC_HMAC', 'TOKEN', 'NONE'].includes(provider);
}

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

/** Returns the providers whose name or summary contains a text, and the chosen one. */
export function findProviders(text: string, chosen: SourceProvider): SourceProvider[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  const matches = (id: SourceProvider) => {
    const { name, summary } = PROVIDERS[id];
    const all = `${name} ${summary}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return PROVIDER_IDS.filter((id) => id === chosen || matches(id));
}

/** How requests of a custom sender are signed, as a form holds it. */
export type SignatureValues = {
  [Name in
    | 'signatureHeader'
    | 'signaturePrefix'
    | 'signatureKey'
    | 'signedContent'
    | 'timestampHeader'
    | 'timestampKey'
    | 'idHeader']: string;
} & {
  signatureEncoding: SignatureEncoding;
  signatureAlgorithm: NonNullable<Source['signatureAlgorithm']>;
  secretEncoding: NonNullable<Source['secretEncoding']>;
};

/** The header that the API takes for each custom provider unless another is given. */
export const DEFAULT_HEADERS: Partial<Record<SourceProvider, string>> = {
  GENERIC_HMAC: 'X-Signature',
  TOKEN: 'X-Webhook-Token',
};

/** Returns the values of a source, or the API's defaults for a new one. */
export function signatureValuesOf(source?: Source): SignatureValues {
  return {
    signatureHeader: source?.signatureHeader ?? 'X-Signature',
    signatureEncoding: source?.signatureEncoding ?? 'hex',
    signaturePrefix: source?.signaturePrefix ?? '',
    signatureKey: source?.signatureKey ?? '',
    signatureAlgorithm: source?.signatureAlgorithm ?? 'SHA256',
    signedContent: source?.signedContent ?? '{body}',
    timestampHeader: source?.timestampHeader ?? '',
    timestampKey: source?.timestampKey ?? '',
    idHeader: source?.idHeader ?? '',
    secretEncoding: source?.secretEncoding ?? 'text',
  };
}

const DIGITS = { SHA1: [40, 28], SHA256: [64, 44], SHA512: [128, 88] } as const;

/** Returns the header that a sender must set: "X-Signature: sha256=<64 hex digits>". */
export function exampleHeader(values: SignatureValues): string {
  const { signatureHeader, signatureEncoding, signatureAlgorithm, signatureKey, timestampKey, timestampHeader } =
    values;
  const [hex, base64] = DIGITS[signatureAlgorithm];
  const digest = signatureEncoding === 'hex' ? `<${hex} hex digits>` : `<${base64} base64 characters>`;
  const item = signatureKey.trim() === '' ? '' : `${signatureKey.trim()}=`;
  const isTimed = item !== '' && timestampKey.trim() !== '' && timestampHeader.trim() === '';
  const time = isTimed ? `${timestampKey.trim()}=<time>,` : '';
  return `${signatureHeader.trim() || 'X-Signature'}: ${time}${item}${values.signaturePrefix.trim()}${digest}`;
}

/** Returns the header of a sender that sends its secret: "Authorization: Bearer <secret>". */
export function exampleToken({ signatureHeader, signaturePrefix }: SignatureValues): string {
  const prefix = signaturePrefix.trim();
  return `${signatureHeader.trim() || 'X-Webhook-Token'}: ${prefix === '' ? '' : `${prefix} `}<secret>`;
}
