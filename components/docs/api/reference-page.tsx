import { AppWindow, Globe, KeyRound, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { LinkedHeading } from '@/components/docs/linked-section';
import { Prose } from '@/components/docs/prose';
import { ReaderBar } from '@/components/docs/reader';
import { CodeBlock } from '@/components/ui/code-block';
import { prettyJson } from '@/components/ui/format-json';
import { Link } from '@/components/ui/link';
import { MethodBadge, StatusCode } from './badges';
import type { Field } from './describe-fields';
import { Expandable, FieldList, FoldedFields } from './field-list';
import { describeCaller, type Operation, type ReferencePage, tryModeOf } from './make-reference';
import { RequestExample, TryIt } from './try-it';

/** The calls of one tag. */
export function ReferencePageView({ page }: { page: ReferencePage }) {
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">{page.title}</h1>
          <p className="mt-1 max-w-prose text-muted">
            <Prose>{page.description}</Prose>
          </p>
        </div>
        <ReaderBar />
      </header>
      {page.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} />
      ))}
    </>
  );
}

/** One call: what it does and takes on the left, examples on the right. */
function OperationSection({ operation }: { operation: Operation }) {
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
          <Fields title={body.isRequired ? 'Body' : 'Body, optional'} note={body.description} fields={body.fields} />
        )}
        <ResponseList responses={responses} />
        <ProblemList problems={problems} />
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

function Fields({ title, note, fields }: { title: string; note?: string | null; fields: readonly Field[] }) {
  if (fields.length === 0 && !note) return null;
  return (
    <Part title={title}>
      {note ? <p className="text-muted text-sm">{note}.</p> : null}
      <FieldList fields={fields} isInput />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-6">
      <h3 className="mb-3 border-b pb-1.5 font-semibold text-sm">{title}</h3>
      {children}
    </div>
  );
}

/** Examples of the successful responses that have a body. */
function ResponseExamples({ responses }: Pick<Operation, 'responses'>) {
  return responses
    .filter(({ example }) => example !== undefined)
    .map(({ status, example }) => (
      <div key={status} className="min-w-0">
        <h3 className="mb-2 flex h-7 items-center gap-2 font-medium text-xs">
          Example response <StatusCode status={status} />
        </h3>
        <CodeBlock code={prettyJson(example)} language="json" label="Example response" />
      </div>
    ));
}

/** The successful responses of a call, with their fields folded: the example shows them too. */
function ResponseList({ responses }: Pick<Operation, 'responses'>) {
  return (
    <Part title="Response">
      <ul className="grid gap-2">
        {responses.map(({ status, meaning, contentType, fields }) => (
          <li key={status} className="text-sm">
            <StatusCode status={status} /> <span className="text-muted">{meaning}</span>
            {contentType === null || contentType === 'application/json' ? null : (
              <code className="ml-2 font-mono text-muted text-xs">{contentType}</code>
            )}
            <FoldedFields fields={fields} isInput={false} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The problems that a call may respond with, by status. Each code links to its explanation. */
function ProblemList({ problems: groups }: Pick<Operation, 'problems'>) {
  const all = groups.flatMap(({ status, problems }) => problems.map((problem) => ({ status, ...problem })));
  return (
    <Part title="Errors">
      <p className="flex flex-wrap gap-x-3 gap-y-1">
        {groups.map(({ status }) => (
          <StatusCode key={status} status={status} />
        ))}
      </p>
      <Expandable closed={`Show ${all.length} codes`}>
        <dl className="mt-2 grid gap-2 rounded-lg border bg-surface p-3.5 text-sm">
          {all.map(({ status, code, meaning }) => (
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
          ))}
        </dl>
      </Expandable>
    </Part>
  );
}

const ICONS = { key: KeyRound, person: UserRound, portal: AppWindow, operator: ShieldCheck };

/** Says who may call an operation, and what they must be allowed. */
function Credentials({ callers }: Pick<Operation, 'callers'>) {
  const credentials: { icon: LucideIcon; text: string }[] =
    callers.length === 0
      ? [{ icon: Globe, text: 'Anyone, without a credential' }]
      : callers.map((caller) => ({ icon: ICONS[caller.kind], text: describeCaller(caller) }));
  return (
    <ul aria-label="Who may call this" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
      {credentials.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-1.5">
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          <Link href="/docs/api#authentication" className="hover:text-text hover:underline">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
