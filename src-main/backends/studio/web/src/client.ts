import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { StudioService } from '#shared/gen/studio/v1/studio_pb.js';

/** The studio's own service, through the console's proxy, which adds who the person is. */
export const studio = createClient(StudioService, createGrpcWebTransport({ baseUrl: '/studio' }));
