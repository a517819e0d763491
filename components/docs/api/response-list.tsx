import { Expandable } from './expandable';
import { FieldList } from './field-list';
import type { SuccessResponse } from './reference-types';
import { StatusCode } from './status-code';

/** The successful responses of a call, with their fields folded: the example shows them too. */
export function ResponseList({ responses }: { responses: readonly SuccessResponse[] }) {
  return (
    <div className="mt-6">
      <h3 className="mb-3 border-b pb-1.5 font-semibold text-sm">Response</h3>
      <ul className="grid gap-2">
        {responses.map(({ status, meaning, contentType, fields }) => (
          <li key={status} className="text-sm">
            <StatusCode status={status} /> <span className="text-muted">{meaning}</span>
            {contentType === null || contentType === 'application/json' ? null : (
              <code className="ml-2 font-mono text-muted text-xs">{contentType}</code>
            )}
            {fields.length === 0 ? null : (
              <Expandable closed={fields.length === 1 ? 'Show 1 field' : `Show ${fields.length} fields`}>
                <div className="mt-2 rounded-lg border bg-surface p-3.5">
                  <FieldList fields={fields} isInput={false} />
                </div>
              </Expandable>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
