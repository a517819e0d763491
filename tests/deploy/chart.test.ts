import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { STOP_DEADLINE_MS } from '@/lib/platform/process';
import {
  CHART,
  findSchemaFault,
  type KubernetesObject,
  pick,
  podTemplates,
  renderChart,
  runHelm,
  templateChart,
} from './chart';

const EVERYTHING = {
  retention: { mode: 'cronJobs' },
  ingress: {
    enabled: true,
    className: 'nginx',
    hosts: [{ host: 'events.example.com' }],
    tls: [{ hosts: ['events.example.com'], secretName: 'events-tls' }],
  },
  metrics: {
    existingSecret: 'prometheus',
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true },
  },
  networkPolicy: { webFrom: [{ namespaceSelector: {} }], databaseTo: [{ ipBlock: { cidr: '10.1.2.3/32' } }] },
  database: { directUrlKey: 'DATABASE_DIRECT_URL', caConfigMap: 'postgres-ca' },
  extraEnv: [{ name: 'OTEL_SERVICE_NAME', value: 'events' }],
};
const byDefault = renderChart();
const everything = renderChart(EVERYTHING);
const OF_OPERATOR = ['ServiceMonitor', 'PrometheusRule'];

function only(objects: KubernetesObject[], kind: string, part?: string): KubernetesObject {
  const [object, ...more] = pick(objects, kind, part);
  if (object === undefined || more.length > 0) throw new Error(`There are ${more.length} more of ${kind} ${part}.`);
  return object;
}

describe('the chart', () => {
  it('passes helm lint --strict', () => {
    const { code, stdout, stderr } = runHelm(['lint', '--strict', CHART]);
    expect(code, stdout + stderr).toBe(0);
  });

  it.each([
    ['the default values', byDefault],
    ['everything enabled', everything],
  ])('makes valid objects of Kubernetes with %s', (_what, objects) => {
    const own = objects.filter(({ kind }) => !OF_OPERATOR.includes(kind));
    expect(own.length).toBeGreaterThan(10);
    expect(own.map(findSchemaFault).filter((fault) => fault !== null)).toEqual([]);
  });

  it('mounts the certificates of database.caConfigMap into every container, and none by default', () => {
    const mountsOf = (objects: KubernetesObject[]) =>
      podTemplates(objects).map(({ spec }) => {
        const { volumes, containers } = spec as Record<'volumes' | 'containers', { name: string }[]>;
        const mounts = containers.flatMap((each) => (each as { volumeMounts?: { name: string }[] }).volumeMounts ?? []);
        return [volumes, mounts].map((list) => list.find(({ name }) => name === 'database-ca'));
      });
    const volume = { name: 'database-ca', configMap: { name: 'postgres-ca' } };
    const mount = { name: 'database-ca', mountPath: '/etc/event-delivery-service/database', readOnly: true };
    expect(mountsOf(everything)).toEqual(mountsOf(everything).map(() => [volume, mount]));
    expect(mountsOf(byDefault)).toEqual(mountsOf(byDefault).map(() => [undefined, undefined]));
  });

  it('opens the port of the direct connection only where there is one', () => {
    const portsOf = (values: object) =>
      JSON.stringify(only(renderChart(values), 'NetworkPolicy', 'worker').spec.egress).includes('6543');
    const networkPolicy = { directDatabasePort: 6543 };
    expect(portsOf({ networkPolicy, database: { directUrlKey: 'direct' } })).toBe(true);
    expect(portsOf({ networkPolicy })).toBe(false);
  });

  it('gives each object a name of its own', () => {
    for (const objects of [byDefault, everything]) {
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('has notes that name the Secret and how to reach the dashboard', () => {
    const { stdout } = runHelm(['install', 'eds', CHART, '--dry-run=client', '--namespace', 'events']);
    expect(stdout).toContain('It reads its secrets from event-delivery-service in the namespace events');
    expect(stdout).toContain('port-forward service/eds-event-delivery-service-web');
  });
});

describe('every pod', () => {
  it.each(
    [...podTemplates(byDefault), ...podTemplates(everything)].map((each) => [each.owner.metadata.name, each.spec]),
  )('%s satisfies the pod security standard "restricted", with a read-only root and no token', (_name, spec) => {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    const allowed = ({ emptyDir, configMap }: { emptyDir?: object; configMap?: object }) => emptyDir ?? configMap;
    expect(spec.volumes.filter((volume: object) => allowed(volume) === undefined)).toEqual([]);
    for (const { securityContext, volumeMounts } of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const writable = volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => readOnly !== true);
      expect(writable.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/tmp', '/data']);
    }
  });
});

describe('web', () => {
  const { spec } = only(byDefault, 'Deployment', 'web');
  const [container] = spec.template.spec.containers;

  it('is replaced one by one, never with fewer than before', () => {
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  it('has probes for start, readiness and life, and only readiness depends on the database', () => {
    expect(container.startupProbe.httpGet.path).toBe('/api/health/live');
    expect(container.livenessProbe.httpGet.path).toBe('/api/health/live');
    expect(container.readinessProbe.httpGet.path).toBe('/api/health/ready');
  });

  it('has time to leave its Service and to drain before it is killed', () => {
    const [, delay] = /^ENV STOP_DELAY_SECONDS=(\d+)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? [];
    const leavingSeconds = Number(delay);
    expect(leavingSeconds).toBeGreaterThan(0);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      leavingSeconds + STOP_DEADLINE_MS / 1000 + 2,
    );
  });

  it('is refused when its delay does not fit into the time that it has to stop', () => {
    const withDelay = (seconds: number) => templateChart({ config: { STOP_DELAY_SECONDS: seconds } });
    expect(withDelay(20).code).toBe(0);
    const { code, stderr } = withDelay(21);
    expect(code).not.toBe(0);
    expect(stderr).toContain('web.terminationGracePeriodSeconds must be at least 31');
  });

  it.each(['web', 'worker'])('and worker scale with their load, here %s', (part) => {
    const scaler = only(byDefault, 'HorizontalPodAutoscaler', part);
    expect(scaler.spec).toMatchObject({
      minReplicas: 2,
      scaleTargetRef: { name: `eds-event-delivery-service-${part}` },
    });
    expect(only(byDefault, 'Deployment', part).spec.replicas).toBeUndefined();
    const fixed = renderChart({ [part]: { replicas: 3, autoscaling: { enabled: false } } });
    expect(pick(fixed, 'HorizontalPodAutoscaler', part)).toEqual([]);
    expect(only(fixed, 'Deployment', part).spec.replicas).toBe(3);
  });

  it('keeps all but one pod when nodes are drained', () => {
    expect(only(byDefault, 'PodDisruptionBudget', 'web').spec.maxUnavailable).toBe(1);
  });

  it('is behind the Ingress', () => {
    const { spec: ingress } = only(everything, 'Ingress');
    const service = only(everything, 'Service', 'web').metadata.name;
    expect(ingress.rules[0].http.paths[0].backend.service).toEqual({ name: service, port: { name: 'http' } });
    expect(pick(byDefault, 'Ingress')).toEqual([]);
  });
});

describe('retention', () => {
  it('is one long-running container, or a CronJob for each job, never both', () => {
    expect(only(byDefault, 'Deployment', 'retention').spec.replicas).toBe(1);
    expect(pick(byDefault, 'CronJob')).toEqual([]);
    expect(pick(everything, 'Deployment', 'retention')).toEqual([]);
    expect(
      pick(everything, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec.containers[0].args),
    ).toEqual(['burst', 'cap', 'main', 'metrics'].map((job) => ['retention', job]));
  });

  it('takes the schedules of CronJobs from the variables', () => {
    const config = { DATA_RETENTION_CRON: '30 3 * * *' };
    const jobs = pick(renderChart({ config, retention: { mode: 'cronJobs' } }), 'CronJob');
    expect(
      Object.fromEntries(jobs.map(({ metadata, spec }) => [metadata.name.split('-').at(-1), spec.schedule])),
    ).toEqual({ main: '30 3 * * *', cap: '*/30 * * * *', burst: '0 */4 * * *', metrics: '*/15 * * * *' });
  });

  it('refuses a schedule with seconds for CronJobs', () => {
    const config = { DATA_RETENTION_CRON: '0 30 3 * * *' };
    expect(templateChart({ config, retention: { mode: 'cronJobs' } }).stderr).toContain('must have five fields');
    expect(templateChart({ config }).code).toBe(0);
  });
});

describe('migrate', () => {
  it('runs before each installation and upgrade, with nothing that an installation makes', () => {
    const { metadata, spec } = only(byDefault, 'Job', 'migrate');
    expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(spec.template.spec.serviceAccountName).toBeUndefined();
    expect(spec.template.spec.containers[0].args).toEqual(['migrate']);
  });
});

describe('the network policies', () => {
  const policyOf = (part: string, objects = byDefault) => only(objects, 'NetworkPolicy', part).spec;
  const portsOf = (part: string): number[] =>
    policyOf(part).egress.flatMap((rule: { ports?: { port: number }[] }) => (rule.ports ?? []).map(({ port }) => port));

  it('let others reach web alone', () => {
    expect(policyOf('web').ingress).toHaveLength(1);
    for (const part of ['worker', 'retention', 'migrate']) expect(policyOf(part).ingress, part).toEqual([]);
  });

  it('let all parts reach the database, and only the worker receivers and mail servers', () => {
    for (const part of ['web', 'worker', 'retention', 'migrate']) expect(portsOf(part), part).toContain(5432);
    const open = (part: string) =>
      policyOf(part).egress.some((rule: { to?: { ipBlock?: { cidr: string } }[] }) =>
        rule.to?.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'),
      );
    expect(['web', 'worker', 'retention', 'migrate'].filter(open)).toEqual(['worker']);
    expect(portsOf('worker')).toContain(587);
    expect(portsOf('web')).not.toContain(587);
  });

  it('keep the worker out of private networks, but for those that deliveries may reach', () => {
    const blocks = (objects: KubernetesObject[]) =>
      policyOf('worker', objects).egress.flatMap((rule: { to?: { ipBlock?: { cidr: string; except?: string[] } }[] }) =>
        (rule.to ?? []).map(({ ipBlock }) => ipBlock),
      );
    expect(blocks(byDefault)[0].except).toContain('169.254.0.0/16');
    expect(blocks(byDefault)).toHaveLength(2);
    const config = { DELIVERY_ALLOWED_CIDRS: '10.9.0.0/16, fd00:9::/64' };
    expect(blocks(renderChart({ config })).slice(2)).toEqual([{ cidr: '10.9.0.0/16' }, { cidr: 'fd00:9::/64' }]);
  });
});

describe('monitoring', () => {
  it('is off by default, since it needs the Prometheus Operator', () => {
    expect(OF_OPERATOR.flatMap((kind) => pick(byDefault, kind))).toEqual([]);
  });

  it('scrapes web with the token of the metrics', () => {
    const { spec, metadata } = only(everything, 'ServiceMonitor');
    expect(metadata.labels.release).toBe('prometheus');
    expect(spec.endpoints).toEqual([
      {
        port: 'http',
        path: '/metrics',
        interval: '30s',
        scrapeTimeout: '10s',
        authorization: { credentials: { name: 'prometheus', key: 'METRICS_TOKEN' } },
      },
    ]);
    const labels = only(everything, 'Service', 'web').metadata.labels;
    expect(labels).toMatchObject(spec.selector.matchLabels);
  });

  it('has the alert rules of deploy/grafana (updated by: npx vitest run -u)', async () => {
    const rules = readFileSync('deploy/grafana/alerts.yaml', 'utf8');
    await expect(rules).toMatchFileSnapshot(`../../${CHART}/files/alerts.yaml`);
    expect(only(everything, 'PrometheusRule').spec).toEqual(parseYaml(rules));
  });
});
