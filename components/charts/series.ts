/** One series of a chart. */
export interface Series {
  label: string;
  /** A token of app/globals.css. */
  color: string;
  /** A value for each bucket; null draws a gap. */
  values: readonly (number | null)[];
  /** Shown beside its label. */
  total?: string;
  /** The rows that it counts. */
  href?: string;
}

/** The time axis that the series of a chart share. */
export interface TimeAxis {
  starts: readonly string[];
  bucketSeconds: number;
}
