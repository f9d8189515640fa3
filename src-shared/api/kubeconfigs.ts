import { z } from 'zod';
import { defineRoute } from './route.ts';
import { targetState } from './targets.ts';

/** One context of a kubeconfig, as far as reading the file tells; it is not contacted for this. */
export const kubeconfigContext = z.object({
  name: z.string(),
  /** Host of the API server, with its port. */
  server: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  /** Program that signing in would run on the console's machine, with its arguments. */
  runs: z.string().optional(),
  /** Files of the console's machine that signing in would read. */
  files: z.array(z.string()),
  /** Reason it cannot be used, a sentence. */
  fault: z.string().optional(),
});
export type KubeconfigContext = z.infer<typeof kubeconfigContext>;

/** Characters of a kubeconfig: a hundred clusters with certificates are within. */
const largestKubeconfig = 512 * 1024;

const given = z.union([
  z.strictObject({ path: z.string().trim().min(1).max(4096) }),
  z.strictObject({ content: z.string().min(1).max(largestKubeconfig) }),
]);

const context = { context: z.string().min(1).max(300) };

const mayAttach = {
  kind: 'write',
  allowlist: 'CONSOLE_SESSION_ADMINS',
  localOperator: true,
  firstSteps: true,
} as const;

/** A kubeconfig that was attached in the window; its content is never answered. */
export const attachedKubeconfig = z.object({
  id: z.string(),
  /** `path`: a file of the machine, read where it is; `kept`: given here, kept in the data folder for the console alone. */
  kind: z.enum(['path', 'kept']),
  /** Names of its targets. */
  targets: z.array(z.string()),
  attached_at: z.iso.datetime(),
  attached_by: z.string().optional(),
});
export type AttachedKubeconfig = z.infer<typeof attachedKubeconfig>;

export const kubeconfigRoutes = [
  defineRoute({
    id: 'kubeconfigs.list',
    method: 'GET',
    path: '/api/kubeconfigs',
    access: { kind: 'read' },
    summary:
      'Kubeconfigs that were attached in the window, with the targets they brought; never their content.',
    answer: z.object({ items: z.array(attachedKubeconfig) }),
  }),
  defineRoute({
    id: 'kubeconfigs.check',
    method: 'POST',
    path: '/api/kubeconfigs/check',
    access: { ...mayAttach, action: 'kubeconfigs.check', target: 'kubeconfigs' },
    summary:
      'Contexts of a kubeconfig and what each would run and read, without contacting anything or keeping it. A path is for the person at the machine only.',
    body: given,
    answer: z.object({ contexts: z.array(kubeconfigContext), current: z.string().optional() }),
  }),
  defineRoute({
    id: 'kubeconfigs.attach',
    method: 'POST',
    path: '/api/kubeconfigs',
    access: { ...mayAttach, action: 'kubeconfigs.attach', target: 'kubeconfigs' },
    summary:
      'Tries one context of a kubeconfig, and attaches the file when it answers, without a restart; 422 with the reason when it does not.',
    body: z.union([given.options[0].extend(context), given.options[1].extend(context)]),
    answer: z.object({
      id: z.string(),
      /** ID of the target that was tried. */
      target: z.string(),
      state: targetState,
      /** What is missing of it, where it answers only partly. */
      detail: z.string().optional(),
      version: z.string().optional(),
    }),
  }),
  defineRoute({
    id: 'kubeconfigs.detach',
    method: 'DELETE',
    path: '/api/kubeconfigs/{id}',
    access: { ...mayAttach, action: 'kubeconfigs.detach', target: 'params.id' },
    summary: 'Takes the targets of an attached kubeconfig away, and removes a kept file.',
    params: z.object({ id: z.string().regex(/^[a-z0-9]{8,32}$/) }),
    answer: z.object({ detached: z.boolean() }),
  }),
] as const;
