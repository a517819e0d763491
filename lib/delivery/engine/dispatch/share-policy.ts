/** What is held of something bounded: by all projects together, and by one of them. */
export interface Holding {
  total: number;
  own: number;
  /** Projects that hold some, this one included. */
  projects: number;
}

/**
 * How much more a project may hold of `most`. Half is anybody's; beyond that a project gets an even share, reckoned with one
 * project more than there are, so that a newcomer finds room.
 */
export function roomWithin(most: number, { total, own, projects }: Holding): number {
  const share = Math.floor(most / (projects + 1));
  const open = Math.floor(most / 2) - total;
  return Math.max(0, Math.min(most - total, Math.max(open, share - own)));
}
