/** The part of an option that moving through a list needs. */
interface ListedOption {
  disabled: boolean;
  /** What typing letters finds. */
  text: string;
}

/** How long typed letters belong together, in milliseconds. */
export const TYPED_TOGETHER_MS = 700;

/**
 * Returns the option that a key of a list moves to: the arrows, Home and End. Skips disabled options and stays at the ends.
 * @returns null for a key that does not move
 */
export function nextOption(options: readonly ListedOption[], active: number, key: string): number | null {
  const enabled = options.flatMap(({ disabled }, index) => (disabled ? [] : [index]));
  const first = enabled[0] ?? -1;
  const last = enabled.at(-1) ?? -1;
  if (key === 'ArrowDown') return enabled.find((index) => index > active) ?? last;
  if (key === 'ArrowUp') return enabled.findLast((index) => index < active) ?? first;
  if (key === 'Home') return first;
  return key === 'End' ? last : null;
}

/**
 * Returns the option that typed letters find: the next one that starts with them. The same letter again finds the one
 * after the active option.
 * @returns null without one
 */
export function findTyped(options: readonly ListedOption[], active: number, typed: string): number | null {
  const isRepeated = new Set(typed).size === 1;
  const wanted = (isRepeated ? typed.slice(0, 1) : typed).toLowerCase();
  const start = isRepeated ? active + 1 : Math.max(active, 0);
  for (let step = 0; step < options.length; step++) {
    const index = (start + step) % options.length;
    const option = options[index];
    if (option !== undefined && !option.disabled && option.text.toLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
