import { createAttachments } from './attached.ts';
import { type KubeconfigHandlers, type KubeconfigOptions, kubeconfigHandlers } from './routes.ts';

export type Kubeconfigs = {
  /** Files to read beside those of the settings, each by itself. */
  files(): readonly string[];
  readonly handlers: KubeconfigHandlers;
};

/** The kubeconfigs that are attached in the window. */
export function createKubeconfigs(
  options: Omit<KubeconfigOptions, 'attachments'> & {
    /** Folder of their list and of content that was given. */
    readonly folder: string;
  },
): Kubeconfigs {
  const attachments = createAttachments(options.folder);
  return {
    files: () => attachments.list().map(({ path }) => path),
    handlers: kubeconfigHandlers({ ...options, attachments }),
  };
}
