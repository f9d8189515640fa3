import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mounted, mount, SESSION, startUpstream, type Upstream } from './proxy-harness.ts';

/** What a browser applies to the whole origin, which the studio shares with the console. */
const ofTheOrigin = {
  'Service-Worker-Allowed': '/',
  'Clear-Site-Data': '"cookies", "storage"',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Alt-Svc': 'h3=":443"; ma=86400',
  'Report-To': '{"group":"g","endpoints":[{"url":"https://evil.example"}]}',
  'Reporting-Endpoints': 'g="https://evil.example"',
  NEL: '{"report_to":"g"}',
  'Access-Control-Allow-Origin': 'https://evil.example',
  'Access-Control-Allow-Credentials': 'true',
  'access-control-allow-methods': '*',
  'Public-Key-Pins': 'pin-sha256="x"',
  'Accept-CH': 'Sec-CH-UA-Model',
};
/** What is about the answer alone. */
const ofTheAnswer = {
  'x-own': 'kept',
  etag: '"1"',
  'content-security-policy': "default-src 'self'",
  'grpc-status': '0',
};
const cookies = ['console_session=theirs; Path=/', 'g_csrf_token=theirs; Path=/', 'theme=dark; Path=/studio'];

describe("an answer of the studio, which shares the console's origin", () => {
  let studio: Upstream;
  let mounted: Mounted;
  beforeAll(async () => {
    studio = await startUpstream((_request, response) => {
      response.writeHead(200, { ...ofTheOrigin, ...ofTheAnswer, 'Set-Cookie': cookies }).end('ok');
    });
    mounted = await mount(studio.url);
  });
  afterAll(async () => {
    await mounted.stop();
    await studio.stop();
  });

  it('loses what a browser would apply to the whole origin, and keeps the rest', async () => {
    const { headers, body } = await request(`http://127.0.0.1:${mounted.port}/studio/`, {
      headers: { cookie: SESSION },
    });
    await body.dump();
    for (const name of Object.keys(ofTheOrigin))
      expect([name, headers[name.toLowerCase()]]).toEqual([name, undefined]);
    expect(headers).toMatchObject(ofTheAnswer);
  });

  it("sets no cookie under a name of the console's, and others as they are", async () => {
    const { headers, body } = await request(`http://127.0.0.1:${mounted.port}/studio/`, {
      headers: { cookie: SESSION },
    });
    await body.dump();
    expect([headers['set-cookie']].flat()).toEqual(['theme=dark; Path=/studio']);
  });
});
