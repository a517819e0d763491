import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';

/** The checkbox that selects a row, or all. Its target is larger than the box. */
export function SelectBox({
  label,
  isSelected,
  isSome = false,
  onToggle,
}: {
  label: string;
  isSelected: boolean;
  /** Whether some rows, but not all, are selected. */
  isSome?: boolean;
  onToggle: (withRange: boolean) => void;
}) {
  const id = useId();
  return (
    // Shift would select the text between two clicks.
    <label
      htmlFor={id}
      className="relative z-10 -m-2 inline-flex size-8 select-none items-center justify-center align-middle"
    >
      <Checkbox
        id={id}
        aria-label={label}
        checked={isSelected}
        indeterminate={isSome}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey === true)}
      />
    </label>
  );
}
