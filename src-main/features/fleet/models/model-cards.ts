import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { platformPrefix } from '#shared/platform/labels.ts';
import type { ObjectOf, resources } from '../../../cluster-model/index.ts';

/** A model card as it is written in YAML; a list that is not written is empty. */
const cardSchema = z.object({
  name: z.string().min(1),
  title: z.string().min(1),
  summary: z.string().optional(),
  family: z.string().optional(),
  licence: z.string().optional(),
  /** Billions. */
  parameters_billion: z.number().positive().optional(),
  /** Tokens. */
  context_length: z.number().int().positive().optional(),
  tiers: z.array(z.string()).default([]),
  uses: z.array(z.string()).default([]),
  limits: z.array(z.string()).default([]),
  /** Names under which engines serve it, such as `Qwen/Qwen3-32B`, besides its own. */
  models: z.array(z.string()).default([]),
});

export type WrittenCard = z.infer<typeof cardSchema> & {
  /** `ConfigMap <namespace>/<name>` or `resources`. */
  readonly found_in: string;
};

export type WrittenCards = { readonly cards: readonly WrittenCard[]; readonly unmeasured: readonly string[] };

/** Label of the ConfigMaps whose every entry is one card. */
const cardLabel = `${platformPrefix}/model-card`;

/** Cards of the platform's own, in the order of their places. */
export function cardsInConfigMaps(
  configMaps: readonly ObjectOf<typeof resources.configMaps>[],
): WrittenCards {
  return gathered(
    configMaps
      .filter(({ metadata }) => metadata.labels[cardLabel] === 'true')
      .flatMap(({ metadata, data }) => {
        const source = `ConfigMap ${metadata.namespace}/${metadata.name}`;
        return Object.entries(data).map(([key, text]) => readCard(text, source, `${key} in ${source}`));
      }),
  );
}

/** Cards that come with the console. */
export async function shippedCards(): Promise<WrittenCards> {
  const folder = cardFolder();
  if (folder === undefined)
    return {
      cards: [],
      unmeasured: ['The model cards that come with the console are missing: install it again.'],
    };
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  return gathered(
    await Promise.all(
      files.map(async (file) => readCard(await readFile(join(folder, file), 'utf8'), 'resources', file)),
    ),
  );
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function cardFolder(): string | undefined {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'resources', 'model-cards');
    if (existsSync(folder)) return folder;
    if (dirname(above) === above) return undefined;
  }
}

/** One card, or the sentence that says what is wrong with it. `named`: such as `qwen.yaml in ConfigMap models/cards`. */
function readCard(text: string, foundIn: string, named: string): WrittenCard | string {
  try {
    const { success, data, error } = cardSchema.safeParse(parse(text));
    if (success) return { ...data, found_in: foundIn };
    const [issue] = error.issues;
    const field = issue?.path.join('.') ?? '';
    return `The model card ${named} was not understood: ${field === '' ? '' : `"${field}": `}${issue?.message}.`;
  } catch {
    return `The model card ${named} was not understood: it is no YAML.`;
  }
}

function gathered(read: readonly (WrittenCard | string)[]): WrittenCards {
  return {
    cards: read.flatMap((card) => (typeof card === 'string' ? [] : card)),
    unmeasured: read.filter((card) => typeof card === 'string'),
  };
}
