import * as z from 'zod/mini'
import { boundedText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idText, nothing, route } from '../wire/index.ts'

/** Maximum length of shared footage, in minutes. */
export const MAX_SHARE_MINUTES = 60
/** How long a share can be opened at most, in days. */
export const MAX_SHARE_DAYS = 30
/** Per account: shares that can be opened. */
export const MAX_SHARES = 100
/** How long footage can be played after a share was opened, if the share lasts that long; then it is opened again. */
export const SHARE_VIEW_MS = 12 * 3_600_000

/** Preparing: the footage is being copied, which takes seconds. */
export const shareStatus = z.enum(['Preparing', 'Ready', 'Failed'])
export type ShareStatus = z.infer<typeof shareStatus>

/** A link to footage of one camera (api.md §14). The footage is a copy: it outlives the recording, and is removed with the share. */
export const footageShare = z.object({
  shareId: id,
  cameraId: id,
  /** Shown to those who open it; empty if it has none. */
  name: z.string(),
  from: dateTime,
  till: dateTime,
  /** Seconds from `from` to `till`. */
  duration: z.number(),
  status: shareStatus,
  /** 0-100; 100 when it is ready. */
  progress: z.int(),
  /** Why it failed, as an English sentence; null otherwise. */
  failureDetail: z.nullable(z.string()),
  /** Anyone with the link can open it; else users of the account who may play this camera's recordings. */
  public: z.boolean(),
  hasPassword: z.boolean(),
  /** Null until it is ready. */
  hasSound: z.nullable(z.boolean()),
  /** The user who shared it. */
  userId: id,
  createdAt: dateTime,
  expiresAt: dateTime,
  /** How often it was opened. */
  views: z.int(),
  lastViewedAt: z.nullable(dateTime),
})
export type FootageShare = z.infer<typeof footageShare>

/** One time that a share was opened. */
export const shareView = z.object({
  viewedAt: dateTime,
  /** The viewer's IP address. */
  address: z.string(),
  /** Null for someone who isn't signed in. */
  userId: z.nullable(id),
})
export type ShareView = z.infer<typeof shareView>

const common = { access: 'tenant', right: 'export', support: 'no', visitor: 'no' } as const
const params = z.object({ shareId: idText })
const one = { ...common, access: 'object', ids: { 'params.shareId': 'share' }, params } as const

export const newShare = z.object({
  cameraId: id,
  from: dateTimeText,
  till: dateTimeText,
  expiresAt: dateTimeText,
  name: z.optional(boundedText(1, 100)),
  /** Asked for before the footage is shown. Never stored in readable form. */
  password: z.optional(z.string().check(z.minLength(8), z.maxLength(128))),
  public: z.optional(z.boolean()),
})
export type NewShare = z.infer<typeof newShare>

export const addShare = route({
  ...common,
  name: 'addShare',
  summary: 'Share footage of a camera by a link. The reply has the link, which can’t be had again',
  method: 'POST',
  path: 'shares',
  ids: { 'body.cameraId': 'camera' },
  body: newShare,
  status: 201,
  notReplayed: 'the reply contains a link that isn’t stored',
  reply: z.object({ share: footageShare, url: z.string() }),
  errors: ['validation', 'notFound', 'businessRule'],
})

export const getShares = route({
  ...common,
  name: 'getShares',
  summary: 'List shares that can be opened, newest first: the owner sees all of the account, others their own',
  method: 'GET',
  path: 'shares',
  reply: z.array(footageShare),
  list: { key: 'shareId', sort: ['-createdAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteShare = route({
  ...one,
  name: 'deleteShare',
  summary: 'End a share: its link stops working within two seconds, for those who are watching too',
  method: 'DELETE',
  path: 'shares/{shareId}',
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})

export const getShareViews = route({
  ...one,
  name: 'getShareViews',
  summary: 'List when a share was opened, newest first, at most 500 times',
  method: 'GET',
  path: 'shares/{shareId}/views',
  reply: z.object({ views: z.array(shareView) }),
  errors: ['notFound'],
})

/** What someone who opens a share sees. */
export const sharedFootage = z.object({
  /** The password is missing; everything else is null. */
  needsPassword: z.boolean(),
  footage: z.nullable(
    z.object({
      name: z.string(),
      cameraName: z.string(),
      from: dateTime,
      till: dateTime,
      /** The camera's, as the IANA database names it. */
      timeZone: z.string(),
      expiresAt: dateTime,
      status: shareStatus,
      progress: z.int(),
      hasSound: z.nullable(z.boolean()),
      /** Times without footage, in order. The file leaves them out. Null until it is ready, and where they aren't known. */
      gaps: z.nullable(z.array(z.object({ from: dateTime, till: dateTime }))),
      /** An MP4 file, to play in ranges, or to download with `&download=1`; null until it is ready. It is valid for twelve hours. */
      url: z.nullable(z.string()),
    }),
  ),
})
export type SharedFootage = z.infer<typeof sharedFootage>

const opening = z.object({
  /** The part of the link behind `#`. */
  secret: z.string().check(z.regex(/^[\w-]{22}$/)),
  password: z.optional(z.string().check(z.maxLength(128))),
})

/** Unknown, expired and ended shares, and those for the account only, get the same reply. */
export const openPublicShare = route({
  name: 'openPublicShare',
  summary: 'Open a public share by its link',
  method: 'POST',
  path: 'sharedFootage/public',
  access: 'public',
  support: 'yes',
  notReplayed: 'the reply contains a secret that isn’t stored',
  body: opening,
  reply: sharedFootage,
  errors: ['validation', 'notFound', 'notAuthorized', 'tooManyRequests'],
})

export const openAccountShare = route({
  name: 'openAccountShare',
  summary: 'Open a share of the own account by its link',
  method: 'POST',
  path: 'sharedFootage/account',
  access: 'tenant',
  right: 'playback',
  support: 'no',
  visitor: 'no',
  notReplayed: 'the reply contains a secret that isn’t stored',
  body: opening,
  reply: sharedFootage,
  errors: ['validation', 'notFound', 'notAuthorized', 'tooManyRequests'],
})

/** The address of the file of a share: `https://host/stream/share/open?ticket=…[&download=1]`. */
export const SHARE_PATH = '/stream/share/open'

/** The page that anyone can open: `https://host/shared#…`. What is behind `#` never reaches a server's log. */
export const PUBLIC_SHARE_PAGE = '/shared'

/** The page for users of the account. */
export const ACCOUNT_SHARE_PAGE = '/app/shared'
