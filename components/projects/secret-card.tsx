'use client';

import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button, type ButtonProps } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { InlineError } from '@/components/ui/inline-error';

/** What has a secret: how it is as far as the page knows, and how it is loaded again. */
interface SecretOwner<Secret> {
  data: { updatedAt: string } | undefined;
  reload: () => Promise<{ updatedAt: string } | undefined>;
  revealSecret: () => Promise<Secret>;
}

/**
 * Holds a signing secret once it is shown, until its owner is changed, which may be a rotation by somebody else. A page may show
 * it in several places and loads it once, since each reveal is recorded in the audit log.
 */
export function useSecret<Secret extends { secret: string }>({ data, reload, revealSecret }: SecretOwner<Secret>) {
  const [held, setHeld] = useState<{ secret: Secret; updatedAt: string | undefined } | null>(null);
  const [isShown, setShown] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const loaded = held !== null && held.updatedAt === data?.updatedAt ? held.secret : null;
  const shown = isShown && loaded !== null ? loaded.secret : null;
  const load = () =>
    run(async () => {
      setHeld({ secret: loaded ?? (await revealSecret()), updatedAt: data?.updatedAt });
      setShown(true);
    });
  return {
    loaded,
    /** The secret while it is shown; else null. */
    shown,
    pending,
    error,
    toggle: () => (shown === null ? void load() : setShown(false)),
    /** Holds the secret that this page has changed. */
    replace: async (secret: Secret, isNowShown: boolean) => {
      const owner = await reload();
      setHeld({ secret, updatedAt: owner?.updatedAt });
      setShown(isNowShown);
    },
  };
}

type SecretState = Omit<ReturnType<typeof useSecret>, 'loaded' | 'replace'>;

/** Shows or hides a secret. `children` tell it apart from others. */
export function ShowSecretButton({
  secret: { shown, pending, toggle },
  children,
  ...rest
}: { secret: SecretState } & Pick<ButtonProps, 'variant' | 'disabledReason' | 'children'>) {
  const Icon = shown === null ? Eye : EyeOff;
  return (
    <Button size="sm" loading={pending} onClick={toggle} {...rest}>
      <Icon aria-hidden="true" />
      {shown === null ? 'Show' : 'Hide'}
      {children}
    </Button>
  );
}

/** The signing secret of an endpoint or a source, masked until it is shown. `children` are the dialog that replaces it. */
export function SecretCard({
  secret,
  mask,
  description,
  previous,
  replaceLabel,
  onReplace,
  disabledReason,
  children,
}: {
  secret: SecretState;
  mask: string;
  description: string;
  /** The previous secret while it is valid. */
  previous: ReactNode;
  replaceLabel: string;
  onReplace: () => void;
  disabledReason: string | undefined;
  children: ReactNode;
}) {
  const { shown, error } = secret;
  return (
    <Card
      title="Signing secret"
      description={description}
      actions={
        <>
          <ShowSecretButton secret={secret} disabledReason={disabledReason} />
          <Button size="sm" disabledReason={disabledReason} onClick={onReplace}>
            <RefreshCw aria-hidden="true" />
            {replaceLabel}
          </Button>
        </>
      }
    >
      <p className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 break-all font-mono text-sm">{shown ?? mask}</code>
        {shown === null ? null : <CopyButton text={shown} label="Copy the signing secret" />}
      </p>
      {previous}
      <InlineError what="We couldn’t show the secret" error={error} className="mt-3" />
      {children}
    </Card>
  );
}
