'use client';

import { TextareaField } from './form-fields';
import type { ApiForm } from './use-api-form';

const RULES = {
  validate: (text: string): true | string =>
    parseMetadata(text) !== null || 'Enter a JSON object of texts, such as {"plan": "enterprise"}.',
};

/** What a person keeps with something, as JSON. */
export function MetadataField<Values extends { metadata: string }>({ form }: { form: ApiForm<Values> }) {
  return (
    <TextareaField
      form={form}
      name="metadata"
      rules={RULES}
      label="Metadata"
      optional
      rows={3}
      placeholder='{"plan": "enterprise"}'
      hint="Texts that you keep with it. Never sent."
      control="font-mono text-xs"
    />
  );
}

/** Returns metadata as the field shows it; empty for none. */
export function metadataText(metadata: Readonly<Record<string, string>>): string {
  return Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);
}

/** Parses a JSON object of texts; null when it is none. Empty text is an empty object. */
export function parseMetadata(text: string): Record<string, string> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isOfTexts =
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((each) => typeof each === 'string');
    return isOfTexts ? (value as Record<string, string>) : null;
  } catch {
    return null;
  }
}
