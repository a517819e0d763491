'use client';

import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';

interface ActionButtonProps {
  label: string;
  disabledReason?: string | undefined;
  onClick: () => void;
}

/** Starts the creation of something: "New key". */
export function CreateButton({ label, ...rest }: ActionButtonProps) {
  return (
    <Button variant="primary" {...rest}>
      <Plus aria-hidden="true" />
      {label}
    </Button>
  );
}

/** Starts the deletion of something: "Delete account". */
export function DeleteButton({ label, ...rest }: ActionButtonProps) {
  return (
    <Button variant="quietDanger" {...rest}>
      <Trash2 aria-hidden="true" />
      {label}
    </Button>
  );
}

/** A button beside the text that says what it does. */
export function ExplainedAction({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-md min-w-0 flex-1 basis-64 text-sm">{text}</p>
      {children}
    </div>
  );
}
