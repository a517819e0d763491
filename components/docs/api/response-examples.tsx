import { CodeBlock } from '@/components/ui/code-block';
import { prettyJson } from '@/components/ui/format-json';
import type { SuccessResponse } from './reference-types';
import { StatusCode } from './status-code';

/** Examples of the successful responses that have a body. */
export function ResponseExamples({ responses }: { responses: readonly SuccessResponse[] }) {
  return responses.flatMap(({ status, example }) =>
    example === undefined
      ? []
      : [
          <div key={status} className="min-w-0">
            <h3 className="mb-2 flex h-7 items-center gap-2 font-medium text-xs">
              Example response <StatusCode status={status} />
            </h3>
            <CodeBlock code={prettyJson(example)} language="json" label="Example response" />
          </div>,
        ],
  );
}
