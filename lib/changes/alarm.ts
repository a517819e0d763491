/** A sleep that can be ended early. A ring while nobody sleeps ends the next sleep at once. */
export class Alarm {
  #isRinging = false;
  #wake: (() => void) | null = null;

  /** Resolves after the time, or when the alarm rings. One caller at a time. */
  async sleep(ms: number): Promise<void> {
    if (!this.#isRinging) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRinging = false;
    this.#wake = null;
  }

  ring(): void {
    this.#isRinging = true;
    this.#wake?.();
  }
}
