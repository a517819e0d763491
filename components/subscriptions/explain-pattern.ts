/** Explains which events a pattern matches: an exact type, a prefix such as `order.*`, or `*`. */
export function explainPattern(pattern: string): string {
  const text = pattern.trim();
  if (text === '') return 'An exact type, a prefix such as order.*, or * for all events.';
  if (text === '*') return 'Every event in the project.';
  if (text.endsWith('.*')) {
    const prefix = text.slice(0, -2);
    return `Every type that starts with “${prefix}.”, such as ${prefix}.created and ${prefix}.item.added, but not “${prefix}” itself.`;
  }
  return `Only events of type “${text}”.`;
}

export const EVENT_TYPE_RULES = { required: 'Enter an event type.' };
