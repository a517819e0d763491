/** What a subscription's event type takes, in words (CONTRACT 5: exact, `order.*`, or `*`). */
export function explainPattern(pattern: string): string {
  const text = pattern.trim();
  if (text === '') return 'An exact type, a prefix such as order.*, or * for everything.';
  if (text === '*') return 'Every event of the project.';
  if (text.endsWith('.*')) {
    const prefix = text.slice(0, -2);
    return `Everything below “${prefix}.”, at any depth: ${prefix}.created and ${prefix}.item.added, but not “${prefix}” itself.`;
  }
  return `Events of the type “${text}” only.`;
}
