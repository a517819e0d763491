import { spawnSync } from 'node:child_process';
import fs, { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { findHelm } from './find-helm';

export const CHART = 'deploy/helm/event-delivery-service';

/** An object of Kubernetes. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes check what is in it
  [field: string]: any;
}

/** A variable of a container, as text or from a Secret. */
export interface EnvEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

let helm: string | undefined;

/** Runs helm. Returns its exit code, its standard output and its errors. */
export function runHelm(args: string[]): { code: number | null; stdout: string; stderr: string } {
  helm ??= findHelm();
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

/** Runs `helm template` with these values. */
export function templateChart(values: object = {}): { code: number | null; stdout: string; stderr: string } {
  const file = path.join(os.tmpdir(), `event-delivery-test-values-${process.pid}.json`);
  fs.writeFileSync(file, JSON.stringify(values));
  try {
    return runHelm(['template', 'eds', CHART, '--namespace', 'events', '--values', file]);
  } finally {
    fs.rmSync(file);
  }
}

/** The objects that the chart makes with these values. @throws Error when helm refuses them */
export function renderChart(values: object = {}): KubernetesObject[] {
  const { code, stdout, stderr } = templateChart(values);
  if (code !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** Those of a kind, and of a part if it is given. */
export function pick(objects: KubernetesObject[], kind: string, part?: string): KubernetesObject[] {
  return objects.filter(
    (object) =>
      object.kind === kind && (part === undefined || object.metadata.labels['app.kubernetes.io/component'] === part),
  );
}

/** The templates of all pods, by their object. */
export function podTemplates(
  objects: KubernetesObject[],
): { owner: KubernetesObject; spec: KubernetesObject['spec'] }[] {
  return objects.flatMap((owner) => {
    const spec = owner.spec?.jobTemplate?.spec.template.spec ?? owner.spec?.template?.spec;
    return spec === undefined ? [] : [{ owner, spec }];
  });
}

/** The variables of a part's container, by name. @throws Error when a name is set twice */
export function variablesOf(objects: KubernetesObject[], part: string): Map<string, EnvEntry> {
  const template = podTemplates(objects).find(
    ({ owner }) => owner.metadata.labels['app.kubernetes.io/component'] === part,
  );
  const entries: EnvEntry[] = template?.spec.containers[0].env ?? [];
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size !== entries.length) throw new Error(`${part} sets a variable twice.`);
  return byName;
}

const SCHEMAS = JSON.parse(readFileSync('tests/deploy/kubernetes-schemas.json', 'utf8')) as {
  kinds: Record<string, string>;
  $defs: Record<string, object>;
};
const compiled = new Map<string, z.ZodType>();

/** Returns what the schema of its kind finds wrong with an object of Kubernetes, unknown fields too; null when it is valid. */
export function findSchemaFault(object: KubernetesObject): string | null {
  const kind = `${object.apiVersion} ${object.kind}`;
  const definition = SCHEMAS.kinds[kind];
  if (definition === undefined) return `there is no schema of ${kind}`;
  const schema =
    compiled.get(kind) ??
    z.fromJSONSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: `#/$defs/${definition}`,
      $defs: SCHEMAS.$defs as never,
    });
  compiled.set(kind, schema);
  const { error } = schema.safeParse(object);
  return error === undefined ? null : `${kind} ${object.metadata.name}: ${z.prettifyError(error)}`;
}
