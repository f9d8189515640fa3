import { z } from 'zod';
import { answerJson, type PlainRoute } from '../serving/index.ts';

/** Timeout for the model endpoint to list its models, in milliseconds: probes give `/health` 5 s. */
const patience = 1000;
/** Time its answer is cached, in milliseconds. */
const believedFor = 10_000;

const modelList = z.object({ data: z.array(z.unknown()).min(1) });

/**
 * `GET /health`: always 200 with `status`, `model_ready` and `port`. `model_ready` says whether the endpoint of `INFERENCE_REMOTE_URL`
 * lists a model; it is asked at most every 10 s, and after the first time in the background.
 */
export function healthRoute(options: {
  readonly inferenceUrl: string | undefined;
  readonly port: () => number;
  readonly now: () => number;
}): PlainRoute {
  const { inferenceUrl, port, now } = options;
  let known: { ready: boolean; at: number } | undefined;
  let asking: Promise<boolean> | undefined;

  const request = (url: string): Promise<boolean> => {
    asking ??= hasModel(url).then((ready) => {
      known = { ready, at: now() };
      asking = undefined;
      return ready;
    });
    return asking;
  };

  const modelReady = async (): Promise<boolean> => {
    if (inferenceUrl === undefined) return false;
    if (known === undefined) return request(inferenceUrl);
    if (now() - known.at >= believedFor) void request(inferenceUrl);
    return known.ready;
  };

  return {
    method: 'GET',
    path: '/health',
    async answer(_request, response) {
      answerJson(response, 200, { status: 'ok', model_ready: await modelReady(), port: port() });
    },
  };
}

async function hasModel(url: string): Promise<boolean> {
  const models = url.endsWith('/v1') ? `${url}/models` : `${url}/v1/models`;
  try {
    const answer = await fetch(models, { redirect: 'error', signal: AbortSignal.timeout(patience) });
    return answer.ok && modelList.safeParse(await answer.json()).success;
  } catch {
    return false;
  }
}
