import { Fragment } from 'react';
import { LinkedHeading } from '@/components/docs/heading-link';
import { Prose } from '@/components/docs/prose';
import { CodeBlock } from '@/components/ui/code-block';
import { prettyJson } from '@/components/ui/format-json';
import { Link } from '@/components/ui/link';
import { Credentials } from './credentials';
import { Expandable } from './expandable';
import { FieldList } from './field-list';
import { MethodBadge } from './method-badge';
import type { Operation, ProblemGroup, SuccessResponse } from './reference-types';
import { RequestExample } from './request-example';
import type { Field } from './schema/field';
import { StatusCode } from './status-code';
import { TryIt } from './try/try-it';
import { tryModeOf } from './try/try-mode';

/** One call: what it does and takes on the left, examples on the right. */
export function OperationSection({ operation }: { operation: Operation }) {
  const { anchor, method, path, title, description, callers, body, responses, problems, request } = operation;
  return (
    <section
      id={anchor}
      data-heading=""
      aria-label={title}
      className="grid scroll-mt-26 gap-x-12 gap-y-6 border-t py-10 first-of-type:border-t-0 lg:scroll-mt-13 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="min-w-0">
        <LinkedHeading id={anchor}>{title}</LinkedHeading>
        <p className="mt-2 flex items-start gap-2">
          <MethodBadge method={method} size="md" />
          <code className="min-w-0 wrap-break-word font-mono text-[0.8125rem] leading-5.5">
            <PathTemplate path={path} />
          </code>
        </p>
        {description === null ? null : (
          <p className="mt-3 max-w-prose text-base">
            <Prose>{description}</Prose>
          </p>
        )}
        <Credentials callers={callers} />
        <Fields title="Path parameters" fields={operation.pathFields} />
        <Fields title="Query parameters" fields={operation.queryFields} />
        <Fields title="Headers" fields={operation.headerFields} />
        {body === null ? null : (
          <Fields
            title={body.isRequired ? 'Body' : 'Body, optional'}
            note={body.description ?? undefined}
            fields={body.fields}
          />
        )}
        <ResponseList responses={responses} />
        <ProblemList groups={problems} />
      </div>
      {/* Sticky only while it fits into the window: code is bounded, an open form is not. */}
      <div className="grid min-w-0 content-start gap-5 xl:top-18 xl:self-start xl:not-has-data-try:sticky xl:[&_section]:max-h-[max(10rem,calc(50dvh-8rem))]">
        <RequestExample request={request} />
        <TryIt
          anchor={anchor}
          mode={tryModeOf(operation)}
          path={path}
          fields={[...operation.pathFields, ...operation.queryFields]}
        />
        <ResponseExamples responses={responses} />
      </div>
    </section>
  );
}

/** A long path breaks before its slashes. */
function PathTemplate({ path }: { path: string }) {
  return path
    .split('/')
    .slice(1)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the path never changes
      <Fragment key={index}>
        <wbr />/<span className={part.startsWith('{') ? 'text-accent-text' : undefined}>{part}</span>
      </Fragment>
    ));
}

function Fields({ title, note, fields }: { title: string; note?: string | undefined; fields: readonly Field[] }) {
  if (fields.length === 0 && note === undefined) return null;
  return (
    <div className="mt-6">
      <h3 className="mb-3 border-b pb-1.5 font-semibold text-sm">{title}</h3>
      {note === undefined ? null : <p className="text-muted text-sm">{note}.</p>}
      <FieldList fields={fields} isInput />
    </div>
  );
}

/** Examples of the successful responses that have a body. */
function ResponseExamples({ responses }: { responses: readonly SuccessResponse[] }) {
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

/** The successful responses of a call, with their fields folded: the example shows them too. */
function ResponseList({ responses }: { responses: readonly SuccessResponse[] }) {
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

/** The problems that a call may respond with, by status. Each code links to its explanation. */
function ProblemList({ groups }: { groups: readonly ProblemGroup[] }) {
  const count = groups.reduce((sum, { problems }) => sum + problems.length, 0);
  return (
    <div className="mt-6">
      <h3 className="mb-3 border-b pb-1.5 font-semibold text-sm">Errors</h3>
      <p className="flex flex-wrap gap-x-3 gap-y-1">
        {groups.map(({ status }) => (
          <StatusCode key={status} status={status} />
        ))}
      </p>
      <Expandable closed={`Show ${count} codes`}>
        <dl className="mt-2 grid gap-2 rounded-lg border bg-surface p-3.5 text-sm">
          {groups.flatMap(({ status, problems }) =>
            problems.map(({ code, meaning }) => (
              <div key={code} className="grid gap-x-3 sm:grid-cols-[13rem_minmax(0,1fr)]">
                <dt className="flex items-baseline gap-2">
                  <StatusCode status={status} />
                  <Link
                    href={`/docs/errors#${code}`}
                    prefetch={false}
                    className="wrap-anywhere font-mono text-xs hover:underline"
                  >
                    {code}
                  </Link>
                </dt>
                <dd className="text-muted text-sm">
                  <Prose>{meaning}</Prose>
                </dd>
              </div>
            )),
          )}
        </dl>
      </Expandable>
    </div>
  );
}
