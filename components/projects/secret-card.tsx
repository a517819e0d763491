'use client';

import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button, type ButtonProps } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { InlineError } from '@/components/ui/inline-error';

/**
 * Holds a signing secret once it is shown. A page may show it in several places and loads it once, since each reveal is
 * recorded in the audit log.
 */
export function useSecret<Secret extends { secret: string }>(reveal: () => Promise<Secret>) {
  const [loaded, setLoaded] = useState<Secret | null>(null);
  const [isShown, setShown] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const load = () =>
    run(async () => {
      setLoaded(loaded ?? (await reveal()));
      setShown(true);
    });
  return {
    loaded,
    /** The secret while it is shown; else null. */
    shown: isShown && loaded !== null ? loaded.secret : null,
    pending,
    error,
    toggle: () => (isShown ? setShown(false) : void load()),
    /** Holds a new secret. */
    replace: (secret: Secret, isNowShown: boolean) => {
      setLoaded(secret);
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
