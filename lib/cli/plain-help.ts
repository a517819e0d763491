/** Returns a text of the help without its backticks: they mark code for the reference, and terminals have one font. */
export function plainHelp(text: string): string {
  return text.replaceAll('`', '');
}
