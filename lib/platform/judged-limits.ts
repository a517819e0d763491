/** A rate limit that was checked for a request, with its state afterwards. */
export interface JudgedLimit {
  name: string;
  /** Attempts allowed in a window. */
  points: number;
  windowSeconds: number;
  /** Attempts in the current window, including refused ones. */
  consumed: number;
  resetSeconds: number;
}

/** Collects the rate limits that were checked for a request, for the headers of its response. */
export interface JudgedLimits {
  judgedLimits?: JudgedLimit[];
}

/** Adds a limit to those of a request, or replaces its earlier state. */
export function addJudgedLimit(to: JudgedLimits, judged: JudgedLimit): void {
  to.judgedLimits = [...(to.judgedLimits ?? []).filter(({ name }) => name !== judged.name), judged];
}

/** Subtracts a refunded attempt. */
export function takeBackJudged(to: JudgedLimits, name: string): void {
  to.judgedLimits = to.judgedLimits?.map((limit) =>
    limit.name === name ? { ...limit, consumed: Math.max(0, limit.consumed - 1) } : limit,
  );
}
