import type { Conversation } from '../conversation.ts';
import { ProbeError, quoted } from '../probe-error.ts';
import { getOnce, type HttpAnswer } from './http.ts';

/** S3: an anonymous, empty listing of the bucket; what is refused, and how, tells S3 from any other HTTP server. */
export async function helloS3(conversation: Conversation): Promise<string> {
  const bucket = encodeURIComponent(conversation.target.hello.bucket ?? '');
  const { detail } = await getOnce(conversation, `/${bucket}?list-type=2&max-keys=0`, (answer) =>
    judge(answer, conversation.target.hello.bucket ?? ''),
  );
  return detail;
}

function judge({ status, headers, body }: HttpAnswer, bucket: string): string {
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1];
  const isS3 = 'x-amz-request-id' in headers || code !== undefined || /<ListBucketResult[\s>]/.test(body);
  if (!isS3) throw new ProbeError(`It answered HTTP ${status}, but not as S3 does.`);
  if (code === 'NoSuchBucket' || status === 404)
    throw new ProbeError(`S3 answered: the bucket ${bucket} does not exist.`);
  const region = headers['x-amz-bucket-region'];
  if (status >= 300 && status < 400)
    throw new ProbeError(
      `S3 answered: the bucket ${bucket} is in ${region === undefined ? 'another region' : quoted(region)}.`,
    );
  if (status >= 500) throw new ProbeError(`S3 answered ${status}${code === undefined ? '' : ` ${code}`}.`);
  if (status === 200) return `S3 answered: the bucket ${bucket} can be listed by anyone.`;
  return `S3 answered: ${code ?? status}; credentials are required.`;
}
