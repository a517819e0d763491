import { Fragment } from 'react';
import { LinkedHeading } from '@/components/docs/heading-link';
import { Prose } from '@/components/docs/prose';
import { Credentials } from './credentials';
import { FieldList } from './field-list';
import { MethodBadge } from './method-badge';
import { ProblemList } from './problem-list';
import type { Operation } from './reference-types';
import { RequestExample } from './request-example';
import { ResponseExamples } from './response-examples';
import { ResponseList } from './response-list';
import type { Field } from './schema/field';
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
