import { Code, ConnectError } from '@connectrpc/connect';

const sourceName = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** Longest address of a source, in characters. */
const longestUrl = 2000;

/** Parses the name and address of a source. Throws INVALID_ARGUMENT with a message. */
export function checkSource(source: { readonly name: string; readonly url: string }): void {
  if (!sourceName.test(source.name))
    throw new ConnectError(
      'The name of a data source must be lower case letters, digits and hyphens, 63 at most.',
      Code.InvalidArgument,
    );
  const url = source.url.length <= longestUrl && URL.canParse(source.url) ? new URL(source.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConnectError(
      'The address of a data source must begin with http:// or https://.',
      Code.InvalidArgument,
    );
  // It is shown to everyone who may see the estate.
  if (url.username !== '' || url.password !== '')
    throw new ConnectError(
      'The address of a data source must hold no user name and no password.',
      Code.InvalidArgument,
    );
}
