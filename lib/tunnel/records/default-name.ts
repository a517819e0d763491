import { randomInt } from 'node:crypto';

const COLORS = ['amber', 'azure', 'coral', 'golden', 'ivory', 'jade', 'olive', 'scarlet', 'silver', 'violet'] as const;
const ANIMALS = ['badger', 'falcon', 'heron', 'lynx', 'marten', 'otter', 'puffin', 'robin', 'stoat', 'wren'] as const;

/** Returns a name for a tunnel that was given none, such as `amber-otter`. Two tunnels may have the same one. */
export function makeDefaultName(): string {
  return `${COLORS[randomInt(COLORS.length)]}-${ANIMALS[randomInt(ANIMALS.length)]}`;
}
