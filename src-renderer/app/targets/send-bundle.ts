import { type Bundle, bundle as bundleShape } from '#shared/api/targets.ts';
import { errorNameOf } from '#shared/errors.ts';
import { call, pathOf } from '../../core/api.ts';
import { CallFailed, errorSentence } from '../../core/call-route.ts';

/** What a person gives to be opened: a file of theirs, or a path on the machine of the console. */
export type BundleSource = { readonly file: File } | { readonly path: string };

/** What to call a source. */
export const sourceName = (source: BundleSource): string =>
  'file' in source ? source.file.name : (source.path.split(/[\\/]/).findLast((part) => part !== '') ?? '');

/**
 * Gives a bundle to the console, which begins to open it. `onSent` hears how many bytes of an upload have left: `fetch`
 * cannot tell that. Throws CallFailed; an aborted upload rejects with the signal's reason.
 */
export function sendBundle(
  source: BundleSource,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Bundle> {
  if ('path' in source) return call('bundles.open', { query: {}, body: { path: source.path } });
  const { file } = source;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(
      'POST',
      `${pathOf('bundles.open')}?${new URLSearchParams({ name: file.name.slice(0, 255) })}`,
    );
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const answer = status >= 200 && status < 300 ? bundleShape.safeParse(parsed(responseText)) : undefined;
      if (answer?.success === true) return resolve(answer.data);
      const sentence = errorSentence(responseText) ?? `The console answered ${status}.`;
      reject(new CallFailed(errorNameOf(status), sentence, status));
    });
    request.addEventListener('error', () =>
      reject(new CallFailed('Unavailable', 'The upload broke off: the console did not take it.', undefined)),
    );
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
