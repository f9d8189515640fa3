import { once } from 'node:events';
import type { Socket } from 'node:net';
import type {
  CertificateFacts,
  ProbeOutcome,
  ProbeProtocol,
  ProbeStep,
  ProbeStepKind,
} from '#shared/api/connectors.ts';
import { type AddressRules, judgeAddress, judgeHost } from './address-rules.ts';
import { certificateDetail, certificateFault, secure, type TlsMode } from './certificate.ts';
import { type Conversation, createSteps } from './conversation.ts';
import { sayHello } from './hellos/index.ts';
import type { Network } from './network.ts';
import { nameFault, ProbeError, socketFault } from './probe-error.ts';

/** What is probed: the endpoint and what its hello needs. Never a credential. */
export type ProbeTarget = {
  readonly host: string;
  readonly port: number;
  /** `direct` begins with TLS; `upgrade` negotiates it in the protocol; `none` is plain. */
  readonly tls: 'none' | 'direct' | 'upgrade';
  readonly tlsMode: TlsMode;
  /** Certificates to trust beside those of this program, in PEM. */
  readonly ca: string | undefined;
  readonly protocol: ProbeProtocol;
  readonly hello: {
    /** Path of a request, for `http`. */
    readonly path?: string | undefined;
    readonly bucket?: string | undefined;
    readonly user?: string | undefined;
    readonly database?: string | undefined;
  };
};

export type ProbeResult = {
  readonly outcome: Exclude<ProbeOutcome, 'not_probed'>;
  /** One sentence: what was found, or which step failed and why. */
  readonly detail: string;
  readonly failedStep: ProbeStepKind | undefined;
  readonly steps: readonly ProbeStep[];
  /** The address that was dialled, with its port. */
  readonly address: string | undefined;
  readonly certificate: CertificateFacts | undefined;
  readonly tookMs: number;
};

export type ProbeOptions = {
  readonly network: Network;
  readonly rules: AddressRules;
  /** Aborts when nobody waits any more; the probe then throws its reason. */
  readonly signal: AbortSignal;
  /** Dials by calling `connect`, and records it with the address: a dial that cannot be recorded is not made. */
  readonly recordDial: (address: string, connect: () => Promise<Socket>) => Promise<Socket>;
  /** Records that the rules refused what a name resolved to. */
  readonly recordRefusal: (reason: string) => Promise<void>;
};

/** Longest a probe takes, in ms. */
const probeDeadline = 5000;

/** Most addresses of a name that are dialled in turn. */
const mostAddresses = 4;

/**
 * Probes a service step by step: the name is resolved once, every address it has is judged, and one of those is
 * dialled; then TLS, and the hello of the protocol. Redirects are not followed. Throws what `recordDial` throws.
 */
export async function probeService(target: ProbeTarget, options: ProbeOptions): Promise<ProbeResult> {
  const began = performance.now();
  const deadline = AbortSignal.timeout(probeDeadline);
  const signal = AbortSignal.any([options.signal, deadline]);
  const record = createSteps(signal);
  const { steps, step } = record;
  let socket: Socket | undefined;
  let address: string | undefined;
  let certificate: CertificateFacts | undefined;

  const ended = (outcome: ProbeResult['outcome'], detail: string): ProbeResult => ({
    outcome,
    detail,
    failedStep: steps.find(({ state }) => state === 'failed')?.step,
    steps,
    address,
    certificate,
    tookMs: Math.round(performance.now() - began),
  });

  try {
    const addresses = await step('dns', `${target.host} did not resolve within 5 s.`, () =>
      resolved(target.host, options.network),
    );
    await step('address', 'The address was not judged within 5 s.', async () => {
      const refused = refusalOf(addresses, target.port, options.rules);
      if (refused !== undefined) throw new ProbeError(refused);
      return { value: undefined, detail: 'May be dialled.' };
    });
    const dialled = await step(
      'tcp',
      `${endpointOf(addresses[0] ?? '', target.port)} did not accept a connection within 5 s.`,
      () => dial(addresses, target.port, options, signal),
    );
    socket = dialled.socket;
    address = endpointOf(dialled.address, target.port);
    const open = socket;
    const peer = address;
    const conversation: Conversation = {
      target,
      socket: open,
      peer,
      signal,
      step,
      skip: record.skip,
      async startTls() {
        const { host, tlsMode: mode, ca } = target;
        const secured = await secure(open, { host, peer, mode, ca });
        socket = secured.socket;
        certificate = secured.facts;
        const fault = certificateFault(secured.facts, host, mode);
        if (fault !== undefined) throw new ProbeError(fault);
        return {
          value: secured.socket,
          detail: certificateDetail(secured.facts, host, secured.socket.getProtocol()),
        };
      },
    };
    const answered = await sayHello(conversation);
    return answered === undefined
      ? ended('protocol_not_probed', `${peer} accepts connections. Protocol not probed.`)
      : ended('reachable', answered);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof ProbeError)) throw error;
    if (steps.at(-1)?.step === 'address') {
      await options.recordRefusal(error.message);
      return ended('refused', error.message);
    }
    return ended('failed', error.message);
  } finally {
    // An error of a connection that nobody looks at any more is no fault.
    socket?.on('error', () => undefined).destroy();
  }
}

async function resolved(host: string, network: Network) {
  const malformed = judgeHost(host);
  // Judged as an address below: what it says is about an address.
  if (malformed !== undefined) return { value: [host], detail: 'Not looked up.' };
  try {
    const addresses = [...new Set(await network.resolve(host))];
    if (addresses.length === 0) throw new ProbeError(`${host} does not resolve: no address.`);
    return { value: addresses, detail: `${host} is ${addresses.slice(0, mostAddresses).join(', ')}.` };
  } catch (error) {
    if (error instanceof ProbeError) throw error;
    throw new ProbeError(nameFault(host, error));
  }
}

/** Returns why what a name resolved to is not dialled: one address that may not be is enough. */
function refusalOf(addresses: readonly string[], port: number, rules: AddressRules): string | undefined {
  for (const address of addresses) {
    const reason = judgeHost(address) ?? judgeAddress(address, port, rules);
    if (reason !== undefined)
      return reason.startsWith(address) ? `Not dialled: ${reason}` : `Not dialled: ${address} ${reason}.`;
  }
  return undefined;
}

async function dial(
  addresses: readonly string[],
  port: number,
  { network, recordDial }: ProbeOptions,
  signal: AbortSignal,
) {
  let failure = new ProbeError('Nothing was dialled.');
  const tried = addresses.slice(0, mostAddresses);
  for (const [index, address] of tried.entries()) {
    const began = performance.now();
    // What is left of the time is shared between the addresses that are left.
    const share = AbortSignal.any([
      signal,
      AbortSignal.timeout(Math.max(1, probeDeadline / (tried.length - index) - 100)),
    ]);
    try {
      const socket = await recordDial(address, () =>
        connected({ network, address, port, signal }, tried.length === 1 ? signal : share),
      );
      const took = Math.round(performance.now() - began);
      return {
        value: { socket, address },
        detail: `Connected to ${endpointOf(address, port)} in ${took} ms.`,
      };
    } catch (error) {
      if (!(error instanceof ProbeError) || signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

type Attempt = {
  readonly network: Network;
  readonly address: string;
  readonly port: number;
  /** The probe's own: the connection ends with it, whoever holds it then. */
  readonly signal: AbortSignal;
};

async function connected(
  { network, address, port, signal }: Attempt,
  patience: AbortSignal,
): Promise<Socket> {
  const socket = network.connect(address, port);
  // An error of a connection that nobody waits for any more is no fault.
  const drop = (): void => void socket.on('error', () => undefined).destroy();
  signal.addEventListener('abort', drop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', drop));
  const peer = endpointOf(address, port);
  try {
    await once(socket, 'connect', { signal: patience });
    return socket;
  } catch (error) {
    drop();
    throw new ProbeError(
      patience.aborted ? `${peer} did not accept a connection in time.` : socketFault(peer, error),
    );
  }
}

function endpointOf(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
