import type { DescService } from '@bufbuild/protobuf';
import { type Client, type Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';

/** A gRPC-web client of a console's service, whose every call has these headers, such as a cookie. */
export function rpcClient<Service extends DescService>(
  service: Service,
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Client<Service> {
  return createClient(
    service,
    createGrpcWebTransport({
      baseUrl,
      httpVersion: '1.1',
      interceptors: [
        (next) => (call) => {
          for (const [name, value] of Object.entries(headers)) call.header.set(name, value);
          return next(call);
        },
      ],
    }),
  );
}

/** The code that a call fails with; undefined when it does not. */
export async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
}
