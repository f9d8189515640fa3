import type { Page } from 'playwright-core';
import { type Symptom, symptom } from '../../../src-shared/api/symptoms.ts';
import {
  type DiagnosisProgress,
  diagnosisProgress,
  type Finding,
  finding,
  type Report,
  report,
} from '../../../src-shared/api/troubleshoot.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { answerRoute, minutesAgo } from './answer-route.ts';
import { clusterReading } from './cluster-answers.ts';
import { withoutSharedEvents } from './own-streams.ts';

/** A Secret that three pods wait for: evidence of two places, three steps. */
export const missingSecret = (over: Partial<Finding> = {}): Finding =>
  finding.parse({
    id: 'secret-missing/Deployment/cockpit/cockpit-api',
    symptom: 'secret-missing',
    area: 'start_up',
    severity: 'critical',
    title: 'cockpit-api cannot start: Secret `cockpit-db-credentials` does not exist',
    cause:
      'All 3 pods wait in `CreateContainerConfigError`. Container `api` reads DATABASE_URL from Secret `cockpit-db-credentials`, which is not there.',
    fix: [
      {
        text: 'See which Secrets there are.',
        command: 'kubectl -n cockpit get secrets',
      },
      { text: 'Create the missing one, or name the right one.' },
      {
        text: 'Watch the rollout.',
        command: 'kubectl -n cockpit rollout status deployment/cockpit-api',
      },
    ],
    objects: [{ kind: 'Deployment', name: 'cockpit-api', namespace: 'cockpit' }],
    evidence: [
      {
        kind: 'event',
        object: { kind: 'Pod', name: 'cockpit-api-7c9d-2kx4m', namespace: 'cockpit' },
        ref: 'events/cockpit.json',
        line: 118,
        text: '14:47:10 Warning Failed secret "cockpit-db-credentials" not found',
        match: [24, 65],
        before: ['14:47:09 Normal  Pulled cockpit-api-7c9d image 1.42.0'],
        after: ['14:47:24 Normal  Pulled cockpit-api-7c9d image 1.42.0'],
        times: 14,
        at: minutesAgo(1),
      },
      {
        kind: 'log',
        object: { kind: 'Pod', name: 'cockpit-api-7c9d-2kx4m', namespace: 'cockpit' },
        container: 'api',
        ref: 'cockpit/cockpit-api-7c9d-2kx4m/api (previous)',
        line: 7,
        text: 'DATABASE_URL is not set',
      },
    ],
    evidence_count: 5,
    since: minutesAgo(12),
    competes_with: ['secret-key-missing/Deployment/cockpit/cockpit-api'],
    explains: ['pod-not-ready'],
    ruled_out_by: 'The Secret is there under the name that the Deployment has.',
    reference: 'BCK-062',
    ...over,
  });

/** A finding of which only the place and gravity matter. */
export const plainFinding = (name: string, over: Partial<Finding> = {}): Finding =>
  missingSecret({
    id: `probe-drift/Deployment/campaign/${name}`,
    symptom: 'probe-drift',
    severity: 'warning',
    title: `${name} is not ready`,
    objects: [{ kind: 'Deployment', name, namespace: 'campaign' }],
    evidence: [{ kind: 'condition', ref: `Deployment campaign/${name}`, text: 'Available is False' }],
    evidence_count: 1,
    competes_with: [],
    explains: [],
    ...over,
  });

/** The other cause that fits what was seen of the missing Secret. */
export const missingKey = (): Finding =>
  missingSecret({
    id: 'secret-key-missing/Deployment/cockpit/cockpit-api',
    symptom: 'secret-key-missing',
    title: 'cockpit-api cannot start: a key of its Secret is missing',
    competes_with: [],
    explains: [],
  });

/** A report of a diagnosis in which metrics could not be read. */
export const reportOf = (findings: readonly Finding[], over: Partial<Report> = {}): Report =>
  report.parse({
    findings,
    checked: [
      { what: 'Pods and containers', count: 123 },
      { what: 'Events', count: 204 },
    ],
    not_checked: [
      {
        what: 'Memory against limits',
        reason: 'metrics.k8s.io did not answer in 5 s',
        symptoms: ['out-of-memory'],
      },
    ],
    symptoms: 41,
    took_ms: 3210,
    ...clusterReading(),
    ...over,
  });

export const symptomOf = (id: string, over: Partial<Symptom> = {}): Symptom =>
  symptom.parse({
    id,
    area: 'start_up',
    title: `{workload} shows ${id}`,
    severity: 'warning',
    look_for: [{ log: { literal: 'connection refused' } }],
    cause: 'Nothing listens at {host}.',
    fix: [{ text: 'Start what should listen.', command: 'kubectl -n {namespace} get pods' }],
    ruled_out_by: 'A connection is made.',
    reference: 'BCK-013',
    ...over,
  });

/** Answers the catalogue. */
export const answerCatalogue = (page: Page, symptoms: readonly Symptom[]): Promise<void> =>
  answerRoute(page, 'troubleshoot.catalogue', () => ({ symptoms: [...symptoms] }));

const eventOf = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Answers each diagnosis with its steps and its report; hears which targets were asked for. */
export async function answerDiagnosis(
  page: Page,
  answer: () => Report,
  steps: readonly DiagnosisProgress[] = [{ step: 'Reading pods', done: 3, total: 4 }],
): Promise<(string | null)[]> {
  const asked: (string | null)[] = [];
  await withoutSharedEvents(page);
  await intercept(
    page,
    (url) => url.pathname === '/api/troubleshoot',
    (request) => {
      asked.push(new URL(request.request().url()).searchParams.get('target'));
      const body = [
        ...steps.map((step) => eventOf('progress', diagnosisProgress.parse(step))),
        eventOf('report', report.parse(answer())),
      ].join('');
      return request.fulfill({ contentType: 'text/event-stream', body });
    },
  );
  return asked;
}

/** Lets every diagnosis begin and never go on. */
export async function answerEndlessDiagnosis(page: Page): Promise<void> {
  await withoutSharedEvents(page);
  await intercept(
    page,
    (url) => url.pathname === '/api/troubleshoot',
    () => new Promise(() => undefined),
  );
}
