import { Code, ConnectError } from '@connectrpc/connect';
import type { ConsoleError, ErrorName } from '#shared/errors.ts';
import { ErrorDetailSchema } from '#shared/gen/console/v1/errors_pb.js';

/** Each name's code of gRPC. */
const codeOf: Readonly<Record<ErrorName, Code>> = {
  BadInput: Code.InvalidArgument,
  NotSignedIn: Code.Unauthenticated,
  NotAllowed: Code.PermissionDenied,
  NotFound: Code.NotFound,
  MethodNotAllowed: Code.Unimplemented,
  Conflict: Code.Aborted,
  TooLarge: Code.ResourceExhausted,
  UnsupportedMediaType: Code.InvalidArgument,
  Refused: Code.FailedPrecondition,
  TooManyRequests: Code.ResourceExhausted,
  Unavailable: Code.Unavailable,
};

/** Returns an expected failure as an rpc answers it: its code, its sentence, and a detail a program can read. */
export function connectError(error: ConsoleError, requestId: string): ConnectError {
  return new ConnectError(error.message, codeOf[error.name], undefined, [
    { desc: ErrorDetailSchema, value: { name: error.name, requestId } },
  ]);
}
