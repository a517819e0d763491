import type { Context } from '@/lib/cli/context';
import { columnsOf } from '@/lib/cli/output/column';
import { headingOf, nounOf } from './names';
import type { Answer, FieldKind } from './operation';

/**
 * Shows an answer: a secret alone, other fields one below the other, and a table for each list of objects. A list that is all of the
 * answer is a table of its own.
 */
export async function showAnswer({ out }: Context, answer: Answer, result: object): Promise<void> {
  const secret = secretOf(answer, result);
  if (secret !== undefined) return out.value(result, secret);
  if (out.isJson) return out.record(result, []);
  const lists = listsOf(answer, result);
  const [only] = lists;
  if (only !== undefined && Object.keys(answer).length === 1) {
    const columns =
      typeof only.item === 'string' ? [{ header: headingOf(only.name), value: String }] : columnsOf(only.item);
    return await out.list<object>(only.rows, columns, { limit: undefined, empty: 'There are none.' });
  }
  const fields = columnsOf(answer, true);
  if (fields.length > 0) out.record(result, fields);
  // A list of texts is a field.
  for (const { name, item, rows } of lists) {
    if (typeof item !== 'string') out.table(headingOf(name), nounOf(name), rows, columnsOf(item));
  }
}

function listsOf(answer: Answer, result: object): { name: string; item: FieldKind | Answer; rows: object[] }[] {
  const values = result as Record<string, object[]>;
  return Object.entries(answer).flatMap(([name, kind]) =>
    Array.isArray(kind) ? [{ name, item: (kind as readonly [FieldKind | Answer])[0], rows: values[name] ?? [] }] : [],
  );
}

/** Returns what a person wants alone, to pass it on: a secret, or the only text of an answer. */
export function secretOf(answer: Answer, result: object): string | undefined {
  const [only = '', ...others] = Object.keys(answer);
  const name = answer.secret === 'text' ? 'secret' : only;
  if (answer[name] !== 'text' || (name !== 'secret' && others.length > 0)) return undefined;
  return String((result as Record<string, unknown>)[name]);
}
