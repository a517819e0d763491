import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Rules {
  groups: { rules: { alert: string; annotations: { runbook: string } }[] }[];
}

const RUNBOOK = 'docs/guides/runbook.md';

it('the runbook says of each alert what it means, what to look at and what to do', () => {
  const { groups } = parse(readFileSync('deploy/grafana/alerts.yaml', 'utf8')) as Rules;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`${RUNBOOK}#${alert.toLowerCase()}`);
  }
  const sections = readFileSync(RUNBOOK, 'utf8').split(/^### /m).slice(1);
  const names = sections.map((section) => section.slice(0, section.indexOf('\n')));
  expect(names.toSorted()).toEqual([...new Set(rules.map(({ alert }) => alert))].toSorted());
  for (const section of sections) expect(section).toMatch(/\*\*Meaning\.\*\* .*\*\*Look at\*\* .*\*\*Do\.\*\* /s);
});
