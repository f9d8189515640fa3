import type { Quantities } from '#shared/api/cluster.ts';
import type { InferenceWorkload } from '#shared/api/fleet.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { bytesWords, coresWords, countWords, numberWords } from '../../components/quantity-words.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { engineWords } from './engine-words.ts';
import css from './inference-facts.module.css';

const untold = 'Its arguments do not tell';

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
        <Fact name="Engine">{engine === undefined ? untold : engineWords[engine]}</Fact>
        <Fact name="Model">{model === undefined ? untold : <code>{model}</code>}</Fact>
        <Fact name="Quantisation">{quantisation ?? untold}</Fact>
        <Fact name="Context">
          {context_length === undefined ? untold : `${numberWords(context_length)} tokens`}
        </Fact>
        <Fact name="Ready">
          {workload.replicas_ready} of {countWords(workload.replicas_desired, 'replica')}
        </Fact>
        <Fact name="GPUs">{gpus === undefined ? 'None asked for' : `${gpus} a replica`}</Fact>
        <Fact name="Requests">{resourceWords(workload.requests) ?? 'None'}</Fact>
        <Fact name="Limits">{resourceWords(workload.limits) ?? 'None'}</Fact>
        <Fact name="Image">
          <code>{image}</code>
          <CopyIcon text={() => image} label="Copy the image" />
        </Fact>
      </Facts>
      <Part title="Killed for memory" sub={countWords(workload.out_of_memory.length, 'time')}>
        {workload.out_of_memory.length === 0 ? (
          <p className={css.quiet}>Neither the last state of its containers nor an event says so.</p>
        ) : (
          <ol className={css.kills}>
            {workload.out_of_memory.map(({ pod, container, at, detail }, index) => (
              <li key={`${pod} ${container} ${at} ${index}`}>
                <span className={css.line}>
                  <code>{container === undefined ? pod : `${pod} ${container}`}</code>
                  <span className={css.at}>
                    {at === undefined ? 'time not told' : <TimeAgo at={Date.parse(at)} />}
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
function resourceWords({ cpu_cores, memory_bytes, gpus }: Quantities): string | undefined {
  const words = [
    cpu_cores === undefined ? undefined : coresWords(cpu_cores),
    memory_bytes === undefined ? undefined : bytesWords(memory_bytes),
    gpus === undefined ? undefined : countWords(gpus, 'GPU'),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(', ');
}
