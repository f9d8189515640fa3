import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import { app, session } from 'electron';

type Wanted = { readonly all: boolean; readonly family: 0 | 4 | 6 };

/**
 * Lets Chromium resolve host names for the whole process. Node asks the system on a thread that nothing can cancel, and
 * the exit of the process waits for it: 5 s and more where a name server is silent. Chromium asks in a process of its
 * own, which ends with the program, and reads the same hosts file and name servers.
 */
export function resolveThroughChromium(): void {
  const lookup = (
    host: string,
    options: unknown,
    callback?: (error: Error | null, address?: unknown, family?: number) => void,
  ): void => {
    const done = typeof options === 'function' ? (options as NonNullable<typeof callback>) : callback;
    if (done === undefined) throw new TypeError('lookup needs a callback');
    const wanted = wantedOf(options);
    addressesOf(host, wanted).then(
      (found) => (wanted.all ? done(null, found) : done(null, found[0]?.address, found[0]?.family)),
      (error: Error) => done(error),
    );
  };
  const lookupLater = async (host: string, options?: unknown): Promise<unknown> => {
    const wanted = wantedOf(options);
    const found = await addressesOf(host, wanted);
    return wanted.all ? found : found[0];
  };
  Object.assign(dns, { lookup });
  Object.assign(dns.promises, { lookup: lookupLater });
  syncBuiltinESMExports();
}

function wantedOf(options: unknown): Wanted {
  const { all, family } =
    typeof options === 'object' && options !== null
      ? (options as { all?: unknown; family?: unknown })
      : { family: options };
  return {
    all: all === true,
    family: family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0,
  };
}

async function addressesOf(host: string, { family }: Wanted): Promise<dns.LookupAddress[]> {
  const literal = isIP(host);
  if (literal !== 0) return [{ address: host, family: literal }];
  await app.whenReady();
  const found = await session.defaultSession
    .resolveHost(host, {
      ...(family === 0 ? {} : { queryType: family === 4 ? 'A' : 'AAAA' }),
      // As the system would: not by a name server the person did not choose.
      secureDnsPolicy: 'disable',
    })
    .catch((error: unknown) => {
      throw notResolved(host, error);
    });
  const addresses = found.endpoints.map(({ address }) => ({ address, family: isIP(address) }));
  if (addresses.length === 0) throw notResolved(host, undefined);
  return addresses;
}

/** The error of Node's own lookup, by which callers tell a wrong name from a silent server. */
function notResolved(host: string, cause: unknown): Error {
  const silent =
    cause instanceof Error && /TIMED_OUT|DNS_SERVER_FAILED|INTERNET_DISCONNECTED/.test(cause.message);
  const code = silent ? 'EAI_AGAIN' : 'ENOTFOUND';
  return Object.assign(new Error(`getaddrinfo ${code} ${host}`, { cause }), {
    code,
    errno: silent ? -3001 : -3008,
    syscall: 'getaddrinfo',
    hostname: host,
  });
}
