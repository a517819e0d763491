'use client';

import { Plus, Trash2 } from 'lucide-react';
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
