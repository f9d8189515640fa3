import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { AnyRequest, BackendLog } from '../serving/index.ts';

/** The caller: the person of a session that has not ended. */
export type Caller = {
  readonly userId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
};

/** An S3-compatible object store. */
export type ObjectStoreLocation = {
  readonly kind: 'object-store';
  /** `https://` always, but for loopback: cleartext object-store traffic is refused (BCK-068). */
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
};

/** The location of sealed media. The folder is absolute. */
export type MediaLocation = { readonly kind: 'folder'; readonly dir: string } | ObjectStoreLocation;

/** The settings of the campaign backend. Holds secrets: never logged. Addresses have no slash at the end. */
export type CampaignConfig = {
  /** SQLite file, `:memory:`, or `postgres://…`. */
  readonly store: string;
  /** Public address of this backend; the podcast feed and the messaging provider's signature need it. */
  readonly publicBaseUrl: string | undefined;
  /** Address of the podcast's cover. */
  readonly podcastImageUrl: string | undefined;
  readonly webDir: string | undefined;
  /** Undefined: a folder of its own that is gone at the end. */
  readonly mediaLocation: MediaLocation | undefined;
  /** 32 bytes, the key that wraps the data keys of sealed media. Random where nothing sealed with it lasts. */
  readonly envelopeKey: Buffer;
  readonly callingAgentUrl: string | undefined;
  readonly speechToText:
    | { readonly url: string; readonly apiKey: string | undefined; readonly model: string | undefined }
    | undefined;
  readonly twilio: { readonly authToken: string; readonly accountSid: string | undefined } | undefined;
  readonly oidc: { readonly issuer: string; readonly clientId: string } | undefined;
  /**
   * Emails allowed to sign in with the identity provider, in lower case; undefined allows everybody with a
   * verified address there.
   */
  readonly allowedEmails: readonly string[] | undefined;
  /** At least 32 bytes (RFC 7518, 3.2); everything signed here is signed with a key derived from it. */
  readonly sessionSecret: Buffer;
  /** The person of the password sign-in, address in lower case; undefined turns it off. */
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly inferenceUrl: string | undefined;
};

/** The plain route a piece of content is served at: `/<shelf>/<name>`. */
export type ContentShelf = 'creatives' | 'media';

/** One piece of content as the store describes it; its bytes are in the sealed store. Times are milliseconds since 1970. */
export type StoredContent = {
  /** Unique on its shelf, whoever owns it. */
  readonly name: string;
  readonly shelf: ContentShelf;
  readonly campaignId: string;
  /** `userId` of its owner. */
  readonly owner: string;
  readonly contentType: string;
  /** In bytes, unsealed. */
  readonly size: number;
  readonly createdAt: number;
  /** Set while it is in the podcast feed, with what the feed says of it. */
  readonly publishedAt: number | undefined;
  readonly title: string;
  readonly description: string;
  /** Its key in the sealed store: not its name, so that two uploads of one name never write the same object. */
  readonly object: string;
};

export type ContentRecords = {
  /** False, and nothing changed, when its shelf has a piece of that name. Throws when there is no such campaign. */
  add(content: StoredContent): Promise<boolean>;
  /** Whoever owns it: the caller of this compares `owner`. */
  find(shelf: ContentShelf, name: string): Promise<StoredContent | undefined>;
  /** The owner's pieces of one campaign, newest first, 500 at most. */
  list(owner: string, campaignId: string): Promise<StoredContent[]>;
  /** Returns the number of pieces in the campaign. */
  count(owner: string, campaignId: string): Promise<number>;
  /** Puts an owner's piece into the feed, or changes what the feed says of it; undefined when it is not there. */
  publish(
    owner: string,
    shelf: ContentShelf,
    name: string,
    episode: { readonly title: string; readonly description: string; readonly at: number },
  ): Promise<StoredContent | undefined>;
  /** Returns the pieces in the feed, of every owner, most recently published first. */
  published(limit: number): Promise<StoredContent[]>;
};

export type StoredCampaignState = 'draft' | 'running' | 'paused' | 'ended';
export type StoredCampaign = {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly goal: string;
  readonly state: StoredCampaignState;
  readonly createdAt: number;
  readonly updatedAt: number;
};
/** A page cursor for campaigns: the page starts right after the one with this time and id. */
export type CampaignCursor = { readonly updatedAt: number; readonly id: string };

export type CampaignRecords = {
  add(campaign: StoredCampaign): Promise<void>;
  find(owner: string, id: string): Promise<StoredCampaign | undefined>;
  /** Most recently changed first. */
  list(
    owner: string,
    page: { readonly limit: number; readonly after: CampaignCursor | undefined },
  ): Promise<StoredCampaign[]>;
  /** Returns the number of campaigns the person has. */
  count(owner: string): Promise<number>;
  /** Moves a campaign that is in `from`; undefined, and nothing changed, when it is not there or in another state by now. */
  move(
    owner: string,
    id: string,
    from: StoredCampaignState,
    to: StoredCampaignState,
    at: number,
  ): Promise<StoredCampaign | undefined>;
};

export type StoredLead = {
  readonly id: string;
  readonly campaignId: string;
  /** `userId` of the campaign's owner. */
  readonly owner: string;
  readonly name: string;
  /** In lower case; empty when unknown. */
  readonly email: string;
  /** E.164; empty when unknown. */
  readonly phone: string;
  readonly createdAt: number;
};

export type LeadRecords = {
  /** False, and nothing changed, when the campaign has a lead of that address or number. */
  add(lead: StoredLead): Promise<boolean>;
  find(owner: string, id: string): Promise<StoredLead | undefined>;
  /** The owner's leads of one campaign, newest first, 1,000 at most. */
  list(owner: string, campaignId: string): Promise<StoredLead[]>;
  /** Returns the number of leads in the campaign. */
  count(owner: string, campaignId: string): Promise<number>;
  /** The newest lead with that number, of any owner: who writes to us says only their number. */
  newestWithPhone(phone: string): Promise<StoredLead | undefined>;
};

export type StoredMessage = {
  /** The provider's id of it. */
  readonly id: string;
  /** Undefined when nobody with that number is known: the id is kept all the same, so that a replay is known. */
  readonly leadId: string | undefined;
  readonly direction: 'inbound' | 'outbound';
  readonly text: string;
  readonly at: number;
};

export type MessageRecords = {
  /** False, and nothing changed, when a message of that id is kept already: it is a replay. */
  add(message: StoredMessage): Promise<boolean>;
  /** The messages of a lead, oldest first, the newest 1,000. */
  list(leadId: string): Promise<StoredMessage[]>;
};

/** Dependencies shared by every part of the backend. */
export type CampaignParts = {
  readonly config: CampaignConfig;
  /** Location of sealed media: `config.mediaLocation`, or the folder made for this run. */
  readonly mediaLocation: MediaLocation;
  /** 32 bytes: the key of the addresses that need no session (`SignContentUrl`, enclosures of the feed). */
  readonly addressKey: Buffer;
  readonly store: {
    readonly campaigns: CampaignRecords;
    readonly content: ContentRecords;
    readonly leads: LeadRecords;
    readonly messages: MessageRecords;
  };
  /**
   * The caller of a plain route, by `authorization: Bearer <access token>`, or by the cookie `campaign_session` of this backend's own
   * pages unless `bearerOnly`. Undefined for none, an expired one, and one that was signed out.
   */
  callerOf(request: AnyRequest, options?: { readonly bearerOnly?: boolean }): Promise<Caller | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: BackendLog;
};

/** Context key through which a gRPC handler gets its caller: `caller(context)`. */
export const callerKey = createContextKey<() => Promise<Caller | undefined>>(async () => undefined);

/** The sentence for a caller without a session, on every route and call. */
export const noSession =
  'This needs a session: sign in and send its access token as "Authorization: Bearer <token>".';

/** The caller of a gRPC call. Throws UNAUTHENTICATED when there is none. */
export async function caller(context: HandlerContext): Promise<Caller> {
  const found = await context.values.get(callerKey)();
  if (found === undefined) throw new ConnectError(noSession, Code.Unauthenticated);
  return found;
}
