'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useSourceScope } from '@/components/sources/source-context';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { InlineError } from '@/components/ui/inline-error';

const MASK = '••••••••••••••••••••••••••••••••';

/** The signing secret, masked until it is shown. */
export function OurSecret({ label }: { label: string }) {
  const { secret, secretDisabledReason } = useSourceScope();
  const { shown } = secret;
  const Icon = shown === null ? Eye : EyeOff;
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-muted text-xs">{label}</span>
      <span className="flex min-h-9 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 break-all font-mono text-xs leading-5">{shown ?? MASK}</code>
        <span className="flex shrink-0 items-center gap-1">
          {shown === null ? null : <CopyButton text={shown} label={`Copy ${label}`} />}
          <Button
            size="sm"
            variant="ghost"
            loading={secret.pending}
            disabledReason={secretDisabledReason}
            onClick={() => (shown === null ? void secret.show() : secret.hide())}
          >
            <Icon aria-hidden="true" />
            {shown === null ? 'Show' : 'Hide'}
            <span className="sr-only">{label}</span>
          </Button>
        </span>
      </span>
      <InlineError what="We couldn’t show the secret" error={secret.error} className="mt-2" />
    </div>
  );
}
