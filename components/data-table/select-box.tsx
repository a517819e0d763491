import { useEffect, useRef } from 'react';

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
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    // Shift would select the text between two clicks.
    <label className="relative z-10 -m-2 inline-flex size-8 select-none items-center justify-center align-middle">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey === true)}
        className="size-4 accent-accent"
      />
    </label>
  );
}
