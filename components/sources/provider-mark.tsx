import { cn } from '@/components/ui/cn';
import type { SourceProvider } from '@/lib/incoming/schema';
import { PROVIDERS } from './providers';

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
