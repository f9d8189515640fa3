import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { ProfileService } from '#shared/gen/profile/v1/profile_pb.js';
import { StudioService } from '#shared/gen/studio/v1/studio_pb.js';
import { CallFailed, errorSentence } from './api.ts';

const codeByStatus: Readonly<Record<number, Code>> = {
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.Unimplemented,
  429: Code.ResourceExhausted,
};

/**
 * `fetch` for gRPC-web that keeps the console's own words: what refuses a call before it reaches a service answers
 * `{"error": "..."}`, which the transport would drop for "HTTP 503".
 */
const fetchWithSentence: typeof fetch = async (input, init) => {
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ConnectError(
      'The console did not answer. Is it still running?',
      Code.Unavailable,
      undefined,
      undefined,
      silence,
    );
  }
  if (response.ok) return response;
  const label = errorSentence(await response.text()) ?? `The console answered ${response.status}.`;
  throw new ConnectError(label, codeByStatus[response.status] ?? Code.Unavailable);
};

const silence = new CallFailed('Unavailable', 'The console did not answer.', undefined);

/** The signed-in person's preferences. */
export const profileClient: Client<typeof ProfileService> = createClient(
  ProfileService,
  createGrpcWebTransport({ baseUrl: '/', fetch: fetchWithSentence }),
);

/** The studio, through the console's proxy. */
export const studioClient: Client<typeof StudioService> = createClient(
  StudioService,
  createGrpcWebTransport({ baseUrl: '/studio', fetch: fetchWithSentence }),
);
