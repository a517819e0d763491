/** The first characters that make a spreadsheet read a cell as a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Formats a line of CSV with every cell in quotes. A cell that a spreadsheet would run as a formula starts with an
 * apostrophe.
 */
export function csvLine(cells: readonly (string | null | undefined)[]): string {
  const quoted = cells.map((cell) => {
    const text = cell ?? '';
    return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
