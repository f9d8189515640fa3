import type { InferenceWorkload } from '#shared/api/fleet.ts';
import { commandEnd } from './shell-words.ts';

export type Engine = NonNullable<InferenceWorkload['engine']>;

/** The settings an inference engine serves with, as far as its command, variables and image show them. */
export type EngineSettings = {
  readonly engine?: Engine;
  readonly model?: string;
  readonly quantisation?: string;
  /** Tokens. */
  readonly context_length?: number;
  /** GPUs that one replica spreads the model over. */
  readonly parallel?: number;
};

export type EngineCommand = {
  readonly argv: readonly string[];
  /** True when they are arguments only, and the image itself brings the program. */
  readonly withoutProgram: boolean;
  readonly variables: ReadonlyMap<string, string>;
  readonly image: string;
};

/** Patterns that identify an engine by program or image; the program takes precedence. */
const engines: readonly { readonly engine: Engine; readonly program: RegExp; readonly image: RegExp }[] = [
  { engine: 'vllm', program: /(?:^|\/)vllm$|^vllm\.entrypoints\./, image: /vllm/ },
  {
    engine: 'llama.cpp',
    program: /(?:^|\/)llama-(?:server|cli)$|^llama_cpp\.server$/,
    image: /llama[.-]?cpp|llama-server/,
  },
  {
    engine: 'tgi',
    program: /(?:^|\/)text-generation-(?:launcher|server)$/,
    image: /text-generation-inference/,
  },
  { engine: 'ollama', program: /(?:^|\/)ollama$/, image: /ollama/ },
];

/** Reads the settings of whichever engine this is; empty when neither program nor image is a known one. */
export function engineSettings(command: EngineCommand): EngineSettings {
  const engine =
    engines.find(({ program }) => command.argv.some((argument) => program.test(argument)))?.engine ??
    engines.find(({ image }) => image.test(command.image))?.engine;
  if (engine === undefined) return {};
  const flags = flagsOf(command.argv);
  const settings = readers[engine]({ ...command, flags });
  return Object.fromEntries(
    Object.entries({ engine, ...settings }).filter(([, value]) => value !== undefined),
  );
}

/** The last value of each flag: `--name value`, `--name=value`, `-n value`; `_` reads as `-` in names, as engines take it. */
function flagsOf(argv: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  argv.forEach((argument, at) => {
    const [, name, inline] = /^(-{1,2}[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === undefined) return;
    const next = argv[at + 1];
    const value = inline ?? (next === undefined || next === commandEnd || next.startsWith('--') ? '' : next);
    flags.set(name.replaceAll('_', '-'), value);
  });
  return flags;
}

type Asked = EngineCommand & { readonly flags: ReadonlyMap<string, string> };
type Settings = {
  readonly [Name in keyof Omit<EngineSettings, 'engine'>]?: EngineSettings[Name] | undefined;
};

/** The first of some flags and variables that says something. */
function first({ flags, variables }: Asked, ...names: readonly string[]): string | undefined {
  return names.map((name) => (flags.get(name) ?? variables.get(name)) || undefined).find((value) => value);
}

/** A number of tokens or GPUs; undefined for what leaves it to the engine, such as 0, -1 or `auto`. */
function positive(text: string | undefined): number | undefined {
  const [, amount, suffix = ''] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text ?? '') ?? [];
  if (amount === undefined) return undefined;
  const value = Math.round(Number(amount) * (multiples[suffix] ?? 1));
  return value > 0 ? value : undefined;
}

/** As vLLM reads them: lower case counts in thousands, upper case in 1,024. */
const multiples: Readonly<Record<string, number>> = { k: 1e3, K: 1024, m: 1e6, M: 1024 ** 2 };

const readers: Readonly<Record<Engine, (requested: Asked) => Settings>> = {
  vllm(requested) {
    const model = served(requested) ?? first(requested, '--model');
    const tensor = positive(first(requested, '--tensor-parallel-size', '-tp')) ?? 1;
    const pipeline = positive(first(requested, '--pipeline-parallel-size', '-pp')) ?? 1;
    return {
      model,
      quantisation: first(requested, '--quantization', '-q') ?? inModelName(model),
      context_length: positive(first(requested, '--max-model-len')),
      parallel: tensor * pipeline > 1 ? tensor * pipeline : undefined,
    };
  },
  'llama.cpp'(requested) {
    const file = first(requested, '--model', '-m', 'LLAMA_ARG_MODEL');
    const repository = first(requested, '-hf', '-hfr', '--hf-repo', 'LLAMA_ARG_HF_REPO');
    const model = file === undefined ? repository?.split(':')[0] : ggufName(file);
    return {
      model,
      quantisation: file === undefined ? repository?.split(':')[1] : inGgufName(file),
      context_length: positive(first(requested, '-c', '--ctx-size', '--n-ctx', 'LLAMA_ARG_CTX_SIZE')),
    };
  },
  tgi(requested) {
    const model = first(requested, '--model-id', 'MODEL_ID');
    return {
      model,
      quantisation: first(requested, '--quantize', 'QUANTIZE') ?? inModelName(model),
      context_length: positive(first(requested, '--max-total-tokens', 'MAX_TOTAL_TOKENS')),
      parallel: positive(first(requested, '--num-shard', 'NUM_SHARD')),
    };
  },
  ollama(requested) {
    const model = after(requested.argv, /^(?:run|pull)$/);
    return {
      model,
      quantisation: inOllamaTag(model),
      context_length: positive(first(requested, 'OLLAMA_CONTEXT_LENGTH')),
    };
  },
};

/** The word behind another one, when it is no flag. */
function after(argv: readonly string[], before: RegExp): string | undefined {
  const at = argv.findIndex((candidate) => before.test(candidate));
  const argument = at === -1 ? undefined : argv[at + 1];
  return argument === undefined || argument.startsWith('-') || argument === commandEnd ? undefined : argument;
}

/** The model vLLM names without a flag: `vllm serve MODEL`, or the first argument of its image, which does the rest. */
function served({ argv, withoutProgram }: Asked): string | undefined {
  if (argv.includes('serve')) return after(argv, /^serve$/);
  const [model] = argv;
  return withoutProgram && model !== undefined && !model.startsWith('-') ? model : undefined;
}

/** Returns the quantisation suffix that already quantised models on the hub carry in their names. */
function inModelName(model: string | undefined): string | undefined {
  return /[-_](AWQ|GPTQ(?:-Int[48])?|FP8|NVFP4|MXFP4|INT[48]|W[48]A(?:8|16)|bnb-4bit)(?=[-_]|$)/i
    .exec(model ?? '')?.[1]
    ?.toLowerCase();
}

/** Without folder, ending and the number of a part, such as `Qwen3-32B-Q4_K_M`. */
function ggufName(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.gguf$/i, '').replace(/-\d{5}-of-\d{5}$/, '');
}

/** GGUF naming convention: the encoding is the last part of the name. */
function inGgufName(file: string): string | undefined {
  return /[-._](I?Q\d(?:_[0-9A-Z]+)*|BF16|F16|F32|MXFP4)$/i.exec(ggufName(file))?.[1]?.toUpperCase();
}

/** `llama3.1:8b-instruct-q4_K_M` says it in its tag. */
function inOllamaTag(model: string | undefined): string | undefined {
  return /:(?:.*-)?(q\d(?:_\w+)*|fp16|bf16|mxfp4)$/i.exec(model ?? '')?.[1];
}
