'use client';

import { Braces, Plus, Rows3 } from 'lucide-react';
import { useId } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { DialogForm, TextareaField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { TextLink } from '@/components/ui/link';
import { Select, type SelectOption } from '@/components/ui/select';
import type { FilterRow } from '@/lib/delivery/filters/filter-policy';
import type { Endpoint } from '@/lib/delivery/schema';
import {
  asJsonDraft,
  asRowsDraft,
  draftOf,
  type FilterDraft,
  faultOf,
  isComplete,
  NEW_ROW,
  textOf,
} from './filter-draft';
import { FilterResult } from './filter-result';
import { FilterRowFields } from './filter-row-fields';
import { useEndpointSubscriptions } from './use-endpoints';
import { useFilterPreview, useNewestPaths, usePaused } from './use-filter-preview';

const JOINS: SelectOption<FilterDraft['join']>[] = [
  { value: 'all', label: 'all' },
  { value: 'any', label: 'any' },
];
const INCOMPLETE = 'Complete each condition, or remove it.';

/** Edits the filter of an endpoint, as rows or as JSON, and tries it against the newest events while it is typed. */
export function FilterForm({
  endpoint,
  send,
}: {
  endpoint: Endpoint;
  /** @param filter its JSON; null for none */
  send: (filter: string | null) => Promise<unknown>;
}) {
  const first = draftOf(endpoint.filter);
  const form = useApiForm({
    // `filter` has the errors: the API names the field so.
    defaultValues: { ...first, filter: '' },
    send: async ({ filter: _, ...draft }) => {
      const text = textOf(draft);
      if (text === undefined) throw invalid(draft.isJson ? 'Enter a JSON object.' : INCOMPLETE);
      await send(text).catch((error: unknown) => {
        const fault = faultOf(error, draft);
        throw fault === null ? error : invalid(placed(fault));
      });
    },
  });
  const { filter: _, ...draft } = form.watch();
  const { subscriptions, hasMore } = useEndpointSubscriptions(endpoint.id);
  const enabled = hasMore ? [] : (subscriptions ?? []).filter((each) => each.enabled);
  const text = textOf(draft);
  const tried = usePaused(text);
  const { preview, error, isLoading } = useFilterPreview(
    subscriptions === undefined ? null : (tried ?? null),
    enabled.map(({ eventType }) => eventType),
  );
  const isCurrent = text === tried && !isLoading;
  const found = isCurrent ? faultOf(error, draft) : null;
  const fault = found === null ? undefined : placed(found);
  const change = (next: Partial<FilterDraft>) => form.setSome({ ...next, filter: '' });
  const problem = form.fieldError('filter');
  return (
    <DialogForm form={form} label="Save filter" failure="We couldn’t save the filter">
      {draft.isJson ? (
        <TextareaField
          form={form}
          name="json"
          rules={{ onChange: () => form.setValue('filter', '') }}
          label="Filter as JSON"
          rows={10}
          placeholder='{"path": "data.amount", "op": "gte", "value": 1000}'
          hint={
            <TextLink href="/docs/guides/filters" prefetch={false} target="_blank">
              Conditions and groups
            </TextLink>
          }
          control="font-mono text-xs"
        />
      ) : (
        <Rows draft={draft} change={change} faultyRow={found?.row ?? null} showsIncomplete={problem !== undefined} />
      )}
      <div className="flex flex-wrap gap-2">
        {draft.isJson ? null : (
          <Button size="sm" onClick={() => change({ rows: [...draft.rows, NEW_ROW] })}>
            <Plus aria-hidden="true" />
            Add condition
          </Button>
        )}
        <ModeButton draft={draft} change={change} />
      </div>
      {problem === undefined || problem === fault ? null : (
        <p role="alert" className="text-danger-text text-sm">
          {problem}
        </p>
      )}
      <FilterResult
        filter={text}
        incomplete={
          draft.isJson
            ? 'Complete the JSON to see which events match.'
            : 'Complete the conditions to see which events match.'
        }
        preview={preview}
        error={isCurrent && found === null ? error : undefined}
        fault={fault}
        isCurrent={isCurrent}
        isOfTypes={enabled.length > 0}
      />
    </DialogForm>
  );
}

const invalid = (message: string) =>
  new ApiError({ status: 400, code: 'validation_failed', detail: message, errors: [{ path: 'filter', message }] });

const placed = ({ row, message }: { row: number | null; message: string }) =>
  row === null ? message : `Condition ${row + 1}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

function ModeButton({ draft, change }: { draft: FilterDraft; change: (next: Partial<FilterDraft>) => void }) {
  if (!draft.isJson) {
    return (
      <Button size="sm" variant="ghost" onClick={() => change(asJsonDraft(draft))}>
        <Braces aria-hidden="true" />
        Edit as JSON
      </Button>
    );
  }
  const asRows = asRowsDraft(draft);
  return (
    <Button
      size="sm"
      variant="ghost"
      disabledReason={asRows === null ? 'Rows show a list of conditions, without groups inside or “not”.' : undefined}
      onClick={() => asRows && change(asRows)}
    >
      <Rows3 aria-hidden="true" />
      Edit as rows
    </Button>
  );
}

function Rows({
  draft: { join, rows },
  change,
  faultyRow,
  showsIncomplete,
}: {
  draft: FilterDraft;
  change: (next: Partial<FilterDraft>) => void;
  faultyRow: number | null;
  showsIncomplete: boolean;
}) {
  const pathsId = useId();
  const paths = useNewestPaths();
  const set = (index: number, row: Partial<FilterRow>) =>
    change({ rows: rows.map((each, at) => (at === index ? { ...each, ...row } : each)) });
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {rows.length > 1 ? (
          <>
            Events match if
            <Select
              aria-label="How conditions are joined"
              className="w-20"
              options={JOINS}
              value={join}
              onValueChange={(chosen) => change({ join: chosen })}
            />
            of these are true:
          </>
        ) : rows.length === 1 ? (
          'Events match if this is true:'
        ) : (
          'Without conditions, all events that it is subscribed to match.'
        )}
      </p>
      <datalist id={pathsId}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        <FilterRowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: A row has nothing else.
          key={index}
          number={index + 1}
          row={row}
          pathsId={pathsId}
          isFaulty={faultyRow === index || (showsIncomplete && !isComplete(row))}
          onChange={(next) => set(index, next)}
          onRemove={() => change({ rows: rows.filter((_, at) => at !== index) })}
        />
      ))}
    </div>
  );
}
