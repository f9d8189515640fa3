import { useQuery } from '@tanstack/react-query';
import { type ModelCard, modelCard } from '#shared/api/fleet.ts';
import type { Listed } from '../../components/list/listed.ts';
import { ReadingPage } from '../../components/list/reading-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconCards } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { CardReading } from './card-reading.tsx';
import { modelsQuery } from './models-query.ts';

const everyMs = 30_000;

const none: readonly ModelCard[] = [];

const listed: Listed<ModelCard> = {
  tab: 'models',
  one: 'model card',
  many: 'model cards',
  icon: IconCards,
  key: ({ name }) => name,
  title: ({ title }) => title,
  state: ({ verdict }) => verdict,
  why: ({ reason }) => reason,
  // A card is of no namespace: the same model may run in several.
  namespace: () => undefined,
  searchText: ({ name, family, licence, tiers, uses, summary }) => [
    name,
    family,
    licence,
    ...tiers,
    ...uses,
    summary,
  ],
};

/** Shows each model's purpose and limits, and whether it is running. */
export function ModelsPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...modelsQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { keepsOpen: true });
  return (
    <ReadingPage
      title="Model cards"
      query={query}
      list={list}
      exported={modelCard.keyof().options}
      sub={({ tiers, parameters_billion }) =>
        [
          tiers.length === 0 ? 'no tier' : tiers.join(', '),
          parameters_billion === undefined ? undefined : `${parameters_billion} billion parameters`,
        ]
          .filter((part) => part !== undefined)
          .join(', ')
      }
      tags={({ tiers, found_in, catalogue }) => [
        ...(catalogue ? ['catalogue only'] : []),
        ...tiers,
        found_in === 'resources' ? 'comes with the console' : found_in,
      ]}
      zero={
        <p>
          A model card is YAML in a ConfigMap with the label <code>platform.dev/model-card</code>.
        </p>
      }
    >
      {(card) => <CardReading card={card} />}
    </ReadingPage>
  );
}
