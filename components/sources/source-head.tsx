'use client';

import dynamic from 'next/dynamic';
import { ResourceHead } from '@/components/projects/resource-head';
import { CopyableId } from '@/components/ui/copyable-id';
import { ProviderMark } from './provider-mark';
import { PROVIDERS } from './providers';
import { useSourceScope } from './source-context';

const EditSourceForm = dynamic(() => import('./edit-source-form').then((part) => part.EditSourceForm));

/** The name and provider of a source, and the buttons that edit and delete it. */
export function SourceHead() {
  const { projectId, source, actions, disabledReason } = useSourceScope();
  const { id, name, provider } = source;
  return (
    <ResourceHead
      kind="source"
      title={
        <span className="flex min-w-0 items-center gap-3">
          <ProviderMark provider={provider} size="md" />
          <span className="min-w-0 break-words">{name}</span>
        </span>
      }
      description={
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3">
          {name === PROVIDERS[provider].name ? null : PROVIDERS[provider].name}
          <CopyableId id={id} label="Copy source ID" />
        </span>
      }
      disabledReason={disabledReason}
      editForm={(close) => <EditSourceForm source={source} send={(body) => actions.update(body).then(close)} />}
      editSize={provider === 'GENERIC_HMAC' ? 'lg' : 'md'}
      deletion={{
        title: 'Delete this source?',
        description:
          'Its URL stops working immediately, and its destinations are deleted too. Incoming events stay visible until retention removes them.',
        typeToConfirm: name,
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/sources`}
    />
  );
}
