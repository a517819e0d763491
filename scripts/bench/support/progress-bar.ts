const [WIDTH, LINE_EVERY] = [40, 0.1];

/** The progress of a long step: a line that is redrawn on a terminal, or a line every 10 % elsewhere. */
export class ProgressBar {
  private readonly startedAt = performance.now();
  private done = 0;
  private toldShare = 0;

  constructor(
    private readonly label: string,
    private readonly total: number,
  ) {}

  /** Adds `by` to the done part of the total. */
  advance(by: number): void {
    this.done += by;
    const share = Math.min(1, this.done / this.total);
    const seconds = ((performance.now() - this.startedAt) / 1000).toFixed(0);
    const text = `${this.label} ${Math.floor(share * 100)} % (${seconds} s)`;
    if (process.stdout.isTTY) {
      const filled = Math.round(share * WIDTH);
      process.stdout.write(`\r\x1b[2K[${'█'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${text}`);
      if (share === 1) process.stdout.write('\n');
    } else if (share === 1 || share - this.toldShare >= LINE_EVERY) {
      this.toldShare = share;
      process.stdout.write(`${text}\n`);
    }
  }
}
