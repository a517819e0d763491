import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import type { Context } from '@/lib/cli/context';
import { ForeignFault, isMissing } from './foreign-server';
import { Importer } from './importer';
import type { ForeignService } from './plan';
import { emptyRow, Report } from './report';
import { TypeImporter } from './take-types';

/** Customers at a time. */
const CONCURRENCY = 4;

/**
 * Takes over what another service has, and writes a table of what came of it.
 * @throws CliError when something could not be taken over
 */
export async function runImport(context: Context, service: ForeignService, isDryRun: boolean): Promise<void> {
  // A wrong project or key is said before anything is read.
  await context.projectId();
  const importer = new Importer(context, service.name, isDryRun);
  const report = new Report(context, { service: service.name, isDryRun });
  let fault: unknown;
  try {
    const groups = until(service.groups(), () => fault !== undefined);
    for await (const outcome of mapInOrder(groups, CONCURRENCY, (group) => importer.takeOver(group))) {
      report.add(outcome.rows);
      fault ??= outcome.fault;
    }
    if (fault === undefined) await takeTypes(service, new TypeImporter(context, isDryRun), report);
  } catch (error) {
    fault ??= error;
  }
  await report.show(fault === undefined);
  context.signal.throwIfAborted();
  report.end(fault);
}

/** Ends a list early; what has begun is finished and reported. */
async function* until<T>(items: AsyncIterable<T>, isOver: () => boolean): AsyncGenerator<T, void, undefined> {
  for await (const item of items) {
    if (isOver()) return;
    yield item;
  }
}

/** An older service may have none, and a failure there does not undo what was taken over. */
async function takeTypes(service: ForeignService, types: TypeImporter, report: Report): Promise<void> {
  try {
    for await (const type of service.eventTypes()) report.add([await types.take(type)]);
  } catch (error) {
    if (!(error instanceof ForeignFault) || error.isFatal) throw error;
    if (isMissing(error)) return;
    const text = `they could not all be read: ${error.message}`;
    report.add([emptyRow('event type', '(all)', null, [{ text, isLoss: true }])]);
  }
}
