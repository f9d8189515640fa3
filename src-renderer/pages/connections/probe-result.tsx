import type { CertificateFacts, ConnectionStatus, ProbeStepKind } from '#shared/api/connectors.ts';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { exactTime } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { StateName } from '../../core/state-name.ts';
import css from './connections.module.css';
import { certificateFaults, stepLabels } from './status-labels.ts';

type ShownStep = {
  readonly step: ProbeStepKind;
  readonly state: StateName;
  readonly said: string;
  readonly detail: string;
  readonly took?: number;
};

const stepStates = {
  ok: { state: 'healthy', said: 'succeeded' },
  failed: { state: 'failing', said: 'failed' },
  not_probed: { state: 'unknown', said: 'not probed' },
} as const;

const kinds: readonly ProbeStepKind[] = ['dns', 'address', 'tcp', 'tls', 'protocol'];

/** The steps that were taken, and behind one that failed those that were not. */
function shownSteps({ steps, failed_step }: ConnectionStatus): readonly ShownStep[] {
  const taken = steps.map(({ step, state, detail, took_ms }) => ({
    step,
    ...stepStates[state],
    detail,
    took: took_ms,
  }));
  if (failed_step === undefined) return taken;
  return [
    ...taken,
    ...kinds.slice(kinds.indexOf(failed_step) + 1).map(
      (step): ShownStep => ({
        step,
        state: 'idle',
        said: 'not reached',
        detail: 'Not reached.',
      }),
    ),
  ];
}

/** Shows a probe step by step: where it ended, why, and the certificate that was presented. */
export function ProbeResult({ status }: { readonly status: ConnectionStatus | undefined }) {
  if (status === undefined || status.outcome === 'not_probed')
    return (
      <Part title="Test">
        <p className={css.quiet}>Not tested yet. A test dials the endpoint and sends no credential.</p>
      </Part>
    );
  const { certificate, probed_at, probed_by, address } = status;
  return (
    <>
      <Part title="Last test" sub={probed_at !== undefined && <TimeAgo at={Date.parse(probed_at)} fromNow />}>
        {status.stale && (
          <p className={css.stale}>The connection was changed after this test. Test it again.</p>
        )}
        <ol className={css.steps}>
          {shownSteps(status).map(({ step, state, said, detail, took }) => (
            <li key={step} className={css.step} data-state={state}>
              <Glyph state={state} />
              <span className={css.kind}>
                {stepLabels[step]}
                <Spoken>{` ${said}`}</Spoken>
              </span>
              <span className={css.detail}>{detail}</span>
              {took !== undefined && <span className={css.took}>{took} ms</span>}
            </li>
          ))}
        </ol>
        <p className={css.quiet}>
          {probed_by !== undefined && `Tested by ${probed_by}. `}
          {address === undefined || address === '' ? 'Nothing was dialled.' : `Dialled ${address}.`}
        </p>
      </Part>
      {certificate !== undefined && <Certificate certificate={certificate} />}
    </>
  );
}

function Certificate({ certificate }: { readonly certificate: CertificateFacts }) {
  const { subject, issuer, names, not_before, not_after, fingerprint, fault, verified } = certificate;
  return (
    <Part title="Certificate">
      <Facts>
        <Fact name="Verdict">
          <State
            state={fault === undefined ? 'healthy' : verified ? 'failing' : 'degraded'}
            label={fault === undefined ? 'No fault found.' : certificateFaults[fault]}
          />
        </Fact>
        {!verified && <Fact name="Checked">No: the TLS setting of this connection does not check it.</Fact>}
        <Fact name="Subject">{subject}</Fact>
        <Fact name="Issuer">{issuer}</Fact>
        <Fact name="Names">{names.length === 0 ? 'None' : names.join(', ')}</Fact>
        <Fact name="Valid from">{exactTime(Date.parse(not_before))}</Fact>
        <Fact name="Valid until">{exactTime(Date.parse(not_after))}</Fact>
        <Fact name="SHA-256">
          <code className={css.fingerprint}>{fingerprint}</code>
        </Fact>
      </Facts>
    </Part>
  );
}
