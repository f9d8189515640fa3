import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { Grounding as GroundingCode, type ModelService } from '#shared/gen/cockpit/v1/model_pb.js';
import type { Grounding } from './grounding.ts';
import type { Inference } from './inference.ts';
import { callPath } from './inference-config.ts';

/** Longest prompt, in characters. */
const longestPrompt = 32_000;

const codes = {
  pending: GroundingCode.PENDING,
  active: GroundingCode.ACTIVE,
  inactive: GroundingCode.INACTIVE,
} as const;

/** `cockpit.v1.ModelService`. */
export function modelService(parts: {
  readonly inference: Inference;
  readonly grounding: Grounding;
}): ServiceImpl<typeof ModelService> {
  const { inference, grounding } = parts;
  return {
    async generate({ prompt, path }, { signal }) {
      if (prompt.trim() === '' || prompt.length > longestPrompt)
        throw new ConnectError(
          `The prompt must have 1 to ${longestPrompt} characters.`,
          Code.InvalidArgument,
        );
      if (path !== '' && !callPath.test(path))
        throw new ConnectError(
          'The call path must be lower case letters, digits and hyphens.',
          Code.InvalidArgument,
        );
      return inference.generate(prompt, path, signal);
    },
    getGrounding() {
      const { state, detail, returnedWidth, indexWidth } = grounding.state();
      return { grounding: codes[state], detail, returnedWidth, indexWidth };
    },
  };
}
