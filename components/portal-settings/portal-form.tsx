'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { CODE, TextareaField, TextField } from '@/components/form/form-fields';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { Project } from '@/lib/orgs/schema';
import { accentColors } from '@/lib/portal/accent-color-policy';
import { accentOf, atFields, changedMembers, draftOf, type PortalDraft } from './portal-draft';
import { PortalPreview } from './portal-preview';

/** That of the dashboard, which the portal has without another one. */
const DEFAULT_ACCENT = '#3350d0';

interface PortalFormProps {
  project: Project;
  disabledReason: string | undefined;
  onSaved: (project: Project) => Promise<unknown>;
}

/** The settings of a portal, beside what they look like. */
export function PortalForm({ project, disabledReason, onSaved }: PortalFormProps) {
  const { portal } = project;
  const form = useApiForm<PortalDraft>({
    defaultValues: draftOf(portal),
    send: async (draft, shown) => {
      const body = { portal: changedMembers(draft, shown) };
      const saved = await apiFetch<Project>(`/projects/${project.id}`, { method: 'PATCH', body }).catch((error) => {
        throw atFields(error, draft);
      });
      await onSaved(saved);
      form.reset(draftOf(saved.portal));
      toast.success('Portal saved.');
    },
  });
  const draft = form.watch();
  const isSavedLogo = draft.logoUrl.trim() === (portal.logoUrl ?? '');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form
        noValidate
        onSubmit={form.submit}
        aria-label="Portal"
        className="grid content-start gap-5 rounded-lg border bg-surface p-4 shadow-raised"
      >
        <TextField
          form={form}
          name="name"
          label="Name"
          optional
          placeholder={project.name}
          hint="Shown at the top, such as the name of your company. By default the name of the project."
          readOnly={disabledReason !== undefined}
        />
        <AccentField form={form} isReadOnly={disabledReason !== undefined} />
        <TextField
          form={form}
          name="logoUrl"
          label="Logo URL"
          optional
          type="url"
          placeholder="https://www.example.com/logo.png"
          hint={
            isSavedLogo
              ? 'A PNG, JPEG or WebP image of at most 64 KiB. We fetch it once, when you save, and serve it ourselves.'
              : 'We fetch it when you save. The preview shows it then.'
          }
          readOnly={disabledReason !== undefined}
          {...CODE}
        />
        <TextareaField
          form={form}
          name="allowedOrigins"
          label="Allowed origins"
          optional
          rows={3}
          placeholder={'https://app.example.com\nhttp://localhost:3000'}
          hint="Only pages of these origins may show the portal, one per line. Without any, it opens on a page of its own."
          control="font-mono"
        />
        <InlineError what="We couldn’t save the portal" error={form.error} />
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={form.pending}
            disabledReason={disabledReason ?? (form.formState.isDirty ? undefined : 'No changes to save')}
          >
            Save portal
          </Button>
        </div>
      </form>
      <PortalPreview
        name={draft.name.trim() || project.name}
        accent={accentOf(draft)}
        logoPath={isSavedLogo ? portal.logoPath : null}
      />
    </div>
  );
}

function AccentField({ form, isReadOnly }: { form: ApiForm<PortalDraft>; isReadOnly: boolean }) {
  const accent = accentOf(form.watch());
  return (
    <Field label="Accent color" optional error={form.fieldError('accentColor')} hint={<AccentHint accent={accent} />}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            {...form.register('accentColor')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={DEFAULT_ACCENT}
            readOnly={isReadOnly}
            className="max-w-40 font-mono"
          />
          <input
            type="color"
            aria-label="Pick a color"
            value={accent ?? DEFAULT_ACCENT}
            disabled={isReadOnly}
            onChange={({ target }) => form.setValue('accentColor', target.value)}
            className="h-9 w-11 shrink-0 rounded-md border border-border-strong bg-surface p-1"
          />
        </div>
      )}
    </Field>
  );
}

/** Says what the color becomes where it could not be read. */
function AccentHint({ accent }: { accent: string | null }) {
  if (accent === null) return 'Of buttons and links, as #rrggbb.';
  const [light, dark] = [accentColors(accent, 'light')['--accent'], accentColors(accent, 'dark')['--accent']];
  if (light === accent && dark === accent) return 'It can be read on light and on dark pages.';
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>So that it can be read, it becomes</span>
      {light === accent ? null : <Swatch color={light} where="on light pages" />}
      {dark === accent ? null : <Swatch color={dark} where="on dark pages" />}
    </span>
  );
}

function Swatch({ color, where }: { color: string; where: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className="size-3.5 rounded-full border" style={{ backgroundColor: color }} />
      <span>
        <code className="font-mono text-xs">{color}</code> {where}
      </span>
    </span>
  );
}
