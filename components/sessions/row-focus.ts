const BUTTONS = '[data-close-session]';

/** Which of the table's buttons has the focus; -1 when it lies elsewhere. */
export function focusedRowIndex(table: HTMLElement | null): number {
  const buttons: Element[] = [...(table?.querySelectorAll(BUTTONS) ?? [])];
  return document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
}

/** Puts the focus where it was, on the row that has moved up: the row that had it is gone, and would take it along. */
export function restoreRowFocus(table: HTMLElement | null, index: number): void {
  if (index < 0) return;
  const buttons = [...(table?.querySelectorAll<HTMLElement>(BUTTONS) ?? [])];
  (buttons[index] ?? buttons.at(-1))?.focus();
}
