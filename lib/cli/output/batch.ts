import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { describeError } from '@/lib/cli/describe-error';
import { EXIT } from '@/lib/cli/exit-codes';
import { Progress } from './progress';
import { sanitizeLines } from './sanitize';

export interface BatchWords {
  /** What succeeded, such as "Sent". */
  done: string;
  /** What each item is, in the plural: "events". */
  items: string;
  /** How many there are; null while it is not known. */
  total: number | null;
}

/**
 * Writes what came of each of many items as it is known, and counts. With --json each is a line of NDJSON; as text the results go
 * to standard output and the errors to standard error. On a terminal it shows the progress.
 */
export class Batch {
  readonly #progress: Progress;
  #succeeded = 0;
  #failed = 0;

  constructor(
    private readonly context: Context,
    private readonly words: BatchWords,
  ) {
    this.#progress = new Progress(context.terminal);
  }

  get hasFailed(): boolean {
    return this.#failed > 0;
  }

  /** Writes the result of an item. */
  succeeded(object: object, text: string): void {
    this.#succeeded += 1;
    this.#progress.clear();
    this.context.out.item(object, text);
    this.#show();
  }

  /** Writes the error of an item. @param label names the item to a person, and `object` to a program */
  failed(object: object, label: string, error: unknown): void {
    this.#failed += 1;
    this.#progress.clear();
    const fields = describeError(error);
    const { out } = this.context;
    if (out.isJson) out.item({ ...object, error: fields }, '');
    else out.note(`${label}: ${sanitizeLines([fields.message, fields.reason].filter(Boolean).join(' '))}`);
    this.#show();
  }

  /** Says how many succeeded. @param fatal why the others were not tried @throws CliError when one failed */
  end(fatal?: unknown): void {
    this.#progress.clear();
    const { done, items } = this.words;
    const total = this.#succeeded + this.#failed;
    if (!this.hasFailed) {
      if (!this.context.out.isJson) this.context.out.note(`${done} ${total} ${items}.`);
      return;
    }
    const cause = fatal === undefined ? null : describeError(fatal);
    const count = `${this.#failed} of ${total} ${items} failed`;
    throw new CliError({
      message: cause === null ? `${count}.` : `${count}. The rest weren’t tried.`,
      reason: cause?.message,
      code: cause?.code ?? 'batch_failed',
      exitCode: cause?.exitCode ?? EXIT.failure,
      next: cause?.next,
      requestId: cause?.requestId,
    });
  }

  #show(): void {
    const { done, items, total } = this.words;
    const count = total === null ? `${this.#succeeded}` : `${this.#succeeded + this.#failed} of ${total}`;
    this.#progress.show(`${done} ${count} ${items}${this.#failed > 0 ? `, ${this.#failed} failed` : ''}…`);
  }
}
