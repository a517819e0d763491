'use client';

import * as AlertDialog from 'radix-ui/alert-dialog';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from './button';
import { Field } from './field';
import { InlineError } from './inline-error';
import { Input } from './input';
import { overlayStyle, panelStyle, useReturnFocus } from './panel';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The effects, and whether they can be undone. */
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Runs on confirm. The dialog closes on success and shows the error otherwise. */
  onConfirm: () => Promise<unknown> | unknown;
  tone?: 'danger' | 'primary';
  /** The name that must be typed first, for actions that cannot be undone. */
  typeToConfirm?: string;
}

/** Asks for confirmation of an action that is hard to undo. */
export function ConfirmDialog({ open, onOpenChange, ...rest }: ConfirmDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content className={`${panelStyle} max-w-md overflow-y-auto p-5`} {...returnFocus}>
          <ConfirmForm {...rest} onDone={() => onOpenChange(false)} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function ConfirmForm({
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  onDone,
  tone = 'danger',
  typeToConfirm,
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange'> & { onDone: () => void }) {
  const [typed, setTyped] = useState('');
  const { pending, error, run } = useAsyncAction();
  const isConfirmed = typeToConfirm === undefined || isSameName(typed, typeToConfirm);
  const reason = isConfirmed ? undefined : 'Type the exact name first';
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || reason !== undefined) return;
    await run(async () => {
      await onConfirm();
      onDone();
    });
  };
  return (
    <form onSubmit={(event) => void confirm(event)}>
      <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
      <AlertDialog.Description asChild>
        <div className="mt-1.5 text-muted text-sm">{description}</div>
      </AlertDialog.Description>
      {typeToConfirm === undefined ? null : (
        <Field className="mt-4" label={`Type “${typeToConfirm}” to confirm`}>
          {(control) => (
            <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
          )}
        </Field>
      )}
      <InlineError what="The action failed" error={error} className="mt-4" />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <AlertDialog.Cancel asChild>
          <Button>{cancelLabel}</Button>
        </AlertDialog.Cancel>
        <Button type="submit" variant={tone} loading={pending} disabledReason={reason}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}

/**
 * Whether a typed name looks like the shown one. Ignores invisible characters, repeated spaces and the composition of
 * accents, since a reader cannot see them.
 */
export function isSameName(typed: string, name: string): boolean {
  return typed === name || (normalize(name) !== '' && normalize(typed) === normalize(name));
}

function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{DI}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
