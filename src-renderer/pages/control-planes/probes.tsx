import type { ControlPlane, Probe } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { differs, probeRows, settingName } from './control-plane-labels.ts';
import css from './control-planes-page.module.css';

const kinds = [
  { key: 'startup', title: 'Startup', ifFails: 'restarts it when its startup budget is spent' },
  { key: 'readiness', title: 'Readiness', ifFails: 'takes it out of its Service' },
  { key: 'liveness', title: 'Liveness', ifFails: 'restarts it' },
] as const;

/** Probes as specified beside those of the live Deployment, and what must not be specified. */
export function Probes({ plane }: { readonly plane: ControlPlane }) {
  const { effective_probes, specified_probes, live_probes, probes_disabled, probe_refusals } = plane;
  const { refused_settings = [] } = plane;
  return (
    <Part title="Probes" sub="as specified, and of the live Deployment">
      <div className={css.notes}>
        {probe_refusals.map((refusal) => (
          <Banner key={refusal} look="failing" icon={<Glyph state="failing" />} title="Not allowed.">
            <WithCode>{refusal}</WithCode>
          </Banner>
        ))}
        {probes_disabled && (
          <Banner look="note" icon={<Glyph state="idle" />} title="Probes are disabled.">
            <WithCode>
              `spec.probes.disabled` removes all three: it counts as ready once it runs, and nothing restarts
              it when it hangs.
            </WithCode>
          </Banner>
        )}
        {live_probes === undefined && (
          <NotReadNote
            label="Live probes not read"
            reason="The live Deployment was not found or could not be read."
          />
        )}
      </div>
      <div className={css.cards}>
        {kinds.map(({ key, title, ifFails }) => (
          <ProbeCard
            key={key}
            title={title}
            ifFails={ifFails}
            specified={(specified_probes ?? effective_probes)[key]}
            refused={
              specified_probes === undefined
                ? undefined
                : new Set(refused_settings.flatMap((setting) => settingName(setting, key) ?? []))
            }
            live={live_probes?.[key]}
            liveRead={live_probes !== undefined}
            without={probes_disabled ? 'disabled' : probe_refusals.length > 0 ? 'not read' : 'none'}
          />
        ))}
      </div>
    </Part>
  );
}

type ProbeCardProps = {
  readonly title: string;
  /** Action the kubelet takes when the probe fails. */
  readonly ifFails: string;
  readonly specified: Probe | undefined;
  /** Names of its settings that are refused; undefined where the operator makes the probe. */
  readonly refused: ReadonlySet<string> | undefined;
  readonly live: Probe | undefined;
  readonly liveRead: boolean;
  /** Reason the probe is not specified. */
  readonly without: string;
};

function ProbeCard({ title, ifFails, specified, refused, live, liveRead, without }: ProbeCardProps) {
  const rows = probeRows(specified, live);
  // What is refused is not put in effect, so nothing can differ from it.
  const differing = liveRead && refused === undefined ? rows.filter(differs).length : 0;
  const undue = liveRead && specified === undefined && live !== undefined && without === 'disabled';
  const marked = differing > 0 || undue;
  return (
    <section className={css.card} aria-label={`${title} probe`} data-state={marked ? 'differs' : undefined}>
      <div className={css.cardHead}>
        <h4>{title}</h4>
        {marked && (
          <span className={css.differs}>
            <Glyph state="degraded" />
            {undue ? 'should not be there' : counted(differing, 'differs', 'differ')}
          </span>
        )}
      </div>
      <p className={css.use}>The kubelet {ifFails}.</p>
      {rows.length === 0 ? (
        <p className={css.detail}>{liveRead ? 'None, as specified.' : `Specified: ${without}.`}</p>
      ) : (
        <table className={css.settings} aria-label={`${title} probe, setting by setting`}>
          <thead>
            <tr>
              <th>Setting</th>
              <th>Specified</th>
              {liveRead && <th>Live</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const other = liveRead && ((refused === undefined && differs(row)) || undue);
              return (
                <tr key={row.name} data-differs={other}>
                  <th scope="row">{row.name}</th>
                  <td>
                    {row.specified ?? <span className={css.quiet}>{specified ? 'open' : without}</span>}
                    {refused?.has(row.name) === true && <span className={css.refused}> refused</span>}
                  </td>
                  {liveRead && (
                    <td>
                      {row.live ?? <span className={css.quiet}>none</span>}
                      {other && <Spoken>, differs</Spoken>}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
