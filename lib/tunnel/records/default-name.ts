import { randomInt } from 'node:crypto';

const COLORS = ['amber', 'azure', 'coral', 'golden', 'ivory', 'jade', 'olive', 'scarlet', 'silver', 'violet'] as const;
const ANIMALS = ['badger', 'falcon', 'heron', 'lynx', 'marten', 'otter', 'puffin', 'robin', 'stoat', 'wren'] as const;

/** Returns a default name for a tunnel, such as `amber-otter`. Names may repeat. */
export function makeDefaultName(): string {
  return `${COLORS[randomInt(COLORS.length)]}-${ANIMALS[randomInt(ANIMALS.length)]}`;
}
