/** A rate limit that a request was judged by, and how it stands after that. */
export interface JudgedLimit {
  name: string;
  /** Tries allowed in a window. */
  points: number;
  windowSeconds: number;
  /** Tries counted in the present window; refused ones too. */
  consumed: number;
  resetSeconds: number;
}

/** Where a request collects what it was judged by, for its answer to tell. */
export interface JudgedLimits {
  judgedLimits?: JudgedLimit[];
}

/** Adds a limit to those of a request, or its later state to the limit that is there. */
export function addJudgedLimit(to: JudgedLimits, judged: JudgedLimit): void {
  to.judgedLimits = [...(to.judgedLimits ?? []).filter(({ name }) => name !== judged.name), judged];
}

/** Tells of a try that was taken back. */
export function takeBackJudged(to: JudgedLimits, name: string): void {
  to.judgedLimits = to.judgedLimits?.map((limit) =>
    limit.name === name ? { ...limit, consumed: Math.max(0, limit.consumed - 1) } : limit,
  );
}
