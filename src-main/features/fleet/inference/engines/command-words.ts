import type { TemplateContainer } from '../../../../cluster-model/index.ts';
import { shellWords } from './shell-words.ts';

/** Data of the ConfigMaps that a container's environment takes values from, by name; undefined when there is none. */
export type ConfigMapData = (name: string) => Readonly<Record<string, string>> | undefined;

/** Returns whether a container's environment depends on ConfigMaps. */
export function refersToConfigMaps({ env, envFrom }: TemplateContainer): boolean {
  return (
    envFrom.some(({ configMapRef }) => configMapRef !== undefined) ||
    env.some(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined)
  );
}

/**
 * Returns a container's variables, as far as they are known: never a Secret's (core/v1, EnvVar and
 * EnvFromSource).
 */
export function environmentOf(
  { env, envFrom }: TemplateContainer,
  configMap: ConfigMapData,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const { prefix = '', configMapRef } of envFrom) {
    for (const [key, value] of Object.entries(configMap(configMapRef?.name ?? '') ?? {}))
      variables.set(`${prefix}${key}`, value);
  }
  for (const { name, value, valueFrom } of env) {
    const ref = valueFrom?.configMapKeyRef;
    const told =
      valueFrom === undefined
        ? expanded(value ?? '', variables)
        : configMap(ref?.name ?? '')?.[ref?.key ?? ''];
    if (told === undefined) variables.delete(name);
    else variables.set(name, told);
  }
  return variables;
}

const shells = /(?:^|\/)(?:ba|da|a|z)?sh$/;

/**
 * Returns the command line of a container, word by word: its command and arguments, and the script within `sh
 * -c`.
 */
export function commandWords(
  { command, args }: TemplateContainer,
  variables: ReadonlyMap<string, string>,
): string[] {
  const words = [...command, ...args].map((word) => expanded(word, variables));
  const flag = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  const script = words[flag + 1];
  if (!shells.test(words[0] ?? '') || flag === -1 || script === undefined) return words;
  return shellWords(script, variables);
}

/** `$(NAME)` is put in by the kubelet, `$$` is a dollar sign, and an unknown name stays as it is (core/v1, Container). */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\$|\$\(([\w.-]+)\)/g, (reference, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? reference),
  );
}
