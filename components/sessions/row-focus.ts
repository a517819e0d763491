const BUTTONS = '[data-close-session]';

/** Returns the index of the row whose button has the focus; -1 when none has it. */
export function focusedRowIndex(table: HTMLElement | null): number {
  const buttons: Element[] = [...(table?.querySelectorAll(BUTTONS) ?? [])];
  return document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
}

/** Focuses the button at the index again after its row was removed, so that the focus is not lost. */
export function restoreRowFocus(table: HTMLElement | null, index: number): void {
  if (index < 0) return;
  const buttons = [...(table?.querySelectorAll<HTMLElement>(BUTTONS) ?? [])];
  (buttons[index] ?? buttons.at(-1))?.focus();
}
