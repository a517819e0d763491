/**
 * Sets the current widths of a table's columns. Otherwise they depend on the rendered cells and change while a long list
 * scrolls. A column still grows for a longer word. When the window is resized, the widths are computed again.
 *
 * @param body the body of the table
 * @returns a function that removes the widths
 */
export function freezeColumns(body: HTMLElement): () => void {
  const headers = [...(body.closest('table')?.querySelectorAll<HTMLElement>('thead th') ?? [])];
  const thaw = () => {
    for (const header of headers) header.style.width = '';
  };
  const freeze = () => {
    thaw();
    const widths = headers.map((header) => header.getBoundingClientRect().width);
    for (const [n, header] of headers.entries()) header.style.width = `${widths[n]}px`;
  };
  freeze();
  window.addEventListener('resize', freeze);
  return () => {
    window.removeEventListener('resize', freeze);
    thaw();
  };
}
