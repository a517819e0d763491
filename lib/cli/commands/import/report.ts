import { CliError, type CliErrorFields, describeError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import type { Column } from '@/lib/cli/output/column';
import { Progress } from '@/lib/cli/output/progress';
import { isApiError } from '@/lib/client';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import type { Note } from './plan';

/** What came of a customer, an endpoint or an event type. */
export interface Row {
  kind: 'customer' | 'endpoint' | 'event type';
  /** What the other service calls it. */
  from: string;
  /** What it is called here; null when it is not. */
  uid: string | null;
  /** The uid of the customer of an endpoint. */
  customer: string | null;
  id: string | null;
  result: 'made' | 'unchanged' | 'differs' | 'skipped';
  /** It receives nothing there. */
  isDisabled: boolean;
  /** The fields that are not as the other service has them. */
  differs: string[];
  notes: Note[];
}

/** Returns the row of something that is not taken over yet. */
export function emptyRow(kind: Row['kind'], from: string, uid: string | null, notes: Note[]): Row {
  return { kind, from, uid, customer: null, id: null, result: 'skipped', isDisabled: false, differs: [], notes };
}

const isComplete = ({ result, notes }: Row) => result !== 'skipped' && notes.every(({ isLoss }) => !isLoss);

/** What a person must look at stands at the end, next to the prompt. */
const rankOf = (row: Row) =>
  ['unchanged', 'made', 'differs', 'skipped'].indexOf(row.result) + (isComplete(row) ? 0 : 4);

function textsOf({ differs, notes }: Row): string[] {
  return [...(differs.length === 0 ? [] : [`differs here: ${differs.join(', ')}`]), ...notes.map(({ text }) => text)];
}

interface ReportOptions {
  service: string;
  isDryRun: boolean;
}

/** Collects what came of an import, shows how far it is, and ends with a table. */
export class Report {
  readonly #rows: Row[] = [];
  readonly #seen = { customer: 0, endpoint: 0, 'event type': 0 };
  readonly #progress: Progress;

  constructor(
    private readonly context: Context,
    private readonly options: ReportOptions,
  ) {
    this.#progress = new Progress(context.terminal);
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      this.#seen[row.kind] += 1;
    }
    const { customer, endpoint, 'event type': types } = this.#seen;
    this.#progress.show(`Read ${customer} customers, ${endpoint} endpoints and ${types} event types…`);
  }

  /** Writes the table. @param isWhole whether everything was read */
  async show(isWhole: boolean): Promise<void> {
    this.#progress.clear();
    const { out, terminal } = this.context;
    const rows = [...this.#rows].sort((a, b) => rankOf(a) - rankOf(b));
    if (out.isJson) return out.value(this.#asJson(rows), '');
    if (rows.length === 0 && !isWhole) return;
    await out.list(rows, this.#columns(terminal.stdout.isTTY), {
      limit: undefined,
      empty: 'There is nothing to import.',
    });
    if (terminal.stdout.isTTY) this.#showNotes(rows);
    out.note(this.#summary());
  }

  /** @param fault why the rest was not tried @throws CliError when something could not be taken over */
  end(fault: unknown): void {
    const incomplete = this.#rows.filter((row) => !isComplete(row)).length;
    if (fault !== undefined) throw unfinished(describeError(fault));
    if (incomplete === 0) return;
    const message = `${incomplete} of ${this.#rows.length} could not be taken over entirely.`;
    throw new CliError(message, 'import_incomplete', {
      next: 'Look at what is said about each, and complete it by hand. Nothing was changed that existed.',
    });
  }

  #columns(isTable: boolean): Column<Row>[] {
    return [
      { header: 'WHAT', value: ({ kind }) => kind },
      // Cut, they would be the same.
      { header: 'UID', value: ({ uid }) => uid, kind: 'id' },
      { header: 'CUSTOMER', value: ({ customer }) => customer, spare: 1, isOptional: true },
      { header: 'FROM', value: ({ uid, from }) => (uid === from && isTable ? '' : from), spare: 2, isOptional: true },
      { header: 'RESULT', value: (row) => this.#wordOf(row), kind: 'state' },
      {
        header: 'NOTES',
        value: (row) => (isTable ? textsOf(row).length || '' : textsOf(row).join('; ')),
        isOptional: true,
      },
    ];
  }

  #wordOf(row: Row): string {
    if (row.result !== 'made') return row.result;
    return `${this.options.isDryRun ? 'planned' : 'made'}${isComplete(row) ? '' : ' in part'}`;
  }

  #showNotes(rows: readonly Row[]): void {
    const { out } = this.context;
    const noted = rows.filter((row) => textsOf(row).length > 0);
    if (noted.length > 0) out.heading('NOTES');
    for (const row of noted) {
      out.text(sanitize(`${row.kind} ${row.uid ?? row.from}${row.customer === null ? '' : ` of ${row.customer}`}`));
      for (const text of textsOf(row)) out.text(`  ${sanitize(text)}`);
    }
  }

  #countsOf() {
    const count = (result: Row['result']) => this.#rows.filter((row) => row.result === result).length;
    const [made, unchanged, differs, skipped] = [count('made'), count('unchanged'), count('differs'), count('skipped')];
    return { made, unchanged, differs, skipped, incomplete: this.#rows.filter((row) => !isComplete(row)).length };
  }

  #summary(): string {
    const { made, unchanged, differs, skipped } = this.#countsOf();
    const verb = this.options.isDryRun ? 'Would make' : 'Made';
    return `${verb} ${made}. Unchanged: ${unchanged}. Different here: ${differs}. Skipped: ${skipped}.`;
  }

  #asJson(rows: readonly Row[]) {
    const items = rows.map((row) => ({
      kind: row.kind,
      from: row.from,
      uid: row.uid,
      customer: row.customer,
      id: row.id,
      result: row.result,
      complete: isComplete(row),
      disabledThere: row.isDisabled,
      differs: row.differs,
      notes: row.notes.map(({ text }) => text),
    }));
    const { service, isDryRun } = this.options;
    return { service, dryRun: isDryRun, counts: this.#countsOf(), items };
  }
}

function unfinished(fields: CliErrorFields): CliError {
  const next = fields.next ?? 'Run the command again: it continues where it ended.';
  const message = `${fields.message} The rest wasn’t tried.`;
  return new CliError(message, fields.code, { ...fields, message, next });
}

/** What is refused for its content is named; the others would fail in the same way. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 409, 413]);

/** Says of a row why it is not taken over. */
export function skip(row: Row, text: string): Row {
  row.notes.push({ text, isLoss: true });
  return row;
}

/** @throws the error when what comes next would be refused too */
export function refused(row: Row, error: unknown): Row {
  if (!isApiError(error) || !OF_CONTENT.has(error.status)) throw error;
  const { message, reason } = describeError(error);
  return skip(row, [message, ...(reason?.split('\n') ?? [])].join(' '));
}
