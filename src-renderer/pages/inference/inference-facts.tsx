import type { Quantities } from '#shared/api/cluster.ts';
import type { InferenceWorkload } from '#shared/api/fleet.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { formatBytes, formatCores, formatCount, formatNumber } from '../../components/format-quantity.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { engineLabels } from './engine-labels.ts';
import css from './inference-facts.module.css';

const notStated = 'Not in its arguments';

/** One inference workload: what it serves and with what, and each time it was killed for memory. */
export function InferenceFacts({ workload }: { readonly workload: InferenceWorkload }) {
  const { kind, name, tier, engine, model, quantisation, context_length, gpus, image } = workload;
  return (
    <>
      <Facts>
        <Fact name={kind}>
          <code>{name}</code>
        </Fact>
        <Fact name="Tier">{tier}</Fact>
        <Fact name="Engine">{engine === undefined ? notStated : engineLabels[engine]}</Fact>
        <Fact name="Model">{model === undefined ? notStated : <code>{model}</code>}</Fact>
        <Fact name="Quantisation">{quantisation ?? notStated}</Fact>
        <Fact name="Context">
          {context_length === undefined ? notStated : `${formatNumber(context_length)} tokens`}
        </Fact>
        <Fact name="Ready">
          {workload.replicas_ready} of {formatCount(workload.replicas_desired, 'replica')}
        </Fact>
        <Fact name="GPUs">{gpus === undefined ? 'None requested' : `${gpus} a replica`}</Fact>
        <Fact name="Requests">{resourceLabel(workload.requests) ?? 'None'}</Fact>
        <Fact name="Limits">{resourceLabel(workload.limits) ?? 'None'}</Fact>
        <Fact name="Image">
          <code>{image}</code>
          <CopyIcon text={() => image} label="Copy the image" />
        </Fact>
      </Facts>
      <Part title="Out-of-memory kills" sub={formatCount(workload.out_of_memory.length, 'time')}>
        {workload.out_of_memory.length === 0 ? (
          <p className={css.quiet}>None in its container states or events.</p>
        ) : (
          <ol className={css.kills}>
            {workload.out_of_memory.map(({ pod, container, at, detail }, index) => (
              <li key={`${pod} ${container} ${at} ${index}`}>
                <span className={css.line}>
                  <code>{container === undefined ? pod : `${pod} ${container}`}</code>
                  <span className={css.at}>
                    {at === undefined ? 'time unknown' : <TimeAgo at={Date.parse(at)} />}
                  </span>
                </span>
                <span className={css.quiet}>{asSentence(detail)}</span>
              </li>
            ))}
          </ol>
        )}
      </Part>
    </>
  );
}

/** `8 cores, 64 GiB, 1 GPU`; undefined when none of them is set. */
function resourceLabel({ cpu_cores, memory_bytes, gpus }: Quantities): string | undefined {
  const label = [
    cpu_cores === undefined ? undefined : formatCores(cpu_cores),
    memory_bytes === undefined ? undefined : formatBytes(memory_bytes),
    gpus === undefined ? undefined : formatCount(gpus, 'GPU'),
  ].filter((term) => term !== undefined);
  return label.length === 0 ? undefined : label.join(', ');
}
