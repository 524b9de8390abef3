import * as z from 'zod/mini'
import { clipSound } from '../footage-proof/index.ts'
import { MAX_CLIP_HOURS, MAX_EXPORT_REASON } from '../streams/index.ts'
import { boundedText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idText, nothing, route } from '../wire/index.ts'

export const MAX_EXPORT_CAMERAS = 9
/** Maximum length of one export, in hours. */
export const MAX_EXPORT_HOURS = MAX_CLIP_HOURS
/** How long the file of an export can be downloaded. */
export const EXPORT_DAYS = 7
/** How long a download address is valid (specification §9). */
export const EXPORT_LINK_MS = 30 * 60_000
/** Per account: exports that are queued or in progress. */
export const MAX_WAITING_EXPORTS = 10
/** Per account: exports with a file, and those in progress. */
export const MAX_EXPORTS = 100
/** Per account: total size of all export files. */
export const MAX_EXPORT_BYTES = 200 * 1024 ** 3

/** `mp4`: one file of one camera. `zip`: a file per camera, a list of contents, and the page that checks them. */
export const exportFormat = z.enum(['mp4', 'zip'])
export type ExportFormat = z.infer<typeof exportFormat>

/** In the specification's words. Queued: waiting. Created: about to start. InProgress: the file is being written. */
export const exportStatus = z.enum(['Queued', 'Created', 'InProgress', 'Done', 'Failed'])
export type ExportStatus = z.infer<typeof exportStatus>

/**
 * `severalMachines`: a machine has one part of the camera's footage and another the rest, so that it isn't one MP4 file. `away`: the
 * machine with the footage can't be reached. `noEncoder`: that machine has no encoder for overlay, watermark and logo. `noLogo`: the brand
 * has none any more.
 */
export const exportFailure = z.enum([
  'noFootage',
  'diskFull',
  'notAuthorized',
  'severalMachines',
  'away',
  'noEncoder',
  'noLogo',
  'interrupted',
])
export type ExportFailure = z.infer<typeof exportFailure>

export const exportSpeeds = [1, 2, 4, 8, 16] as const
export const exportSpeed = z.literal(exportSpeeds)
export type ExportSpeed = z.infer<typeof exportSpeed>

/** What of an export changes its pictures. */
export interface PictureChanges {
  readonly overlay?: boolean | undefined
  readonly watermark?: string | null | undefined
  readonly logo?: boolean | undefined
  readonly speed?: number | undefined
}

/** Whether the pictures of an export are re-encoded, so that the file isn't the original. */
export const isDerived = ({ overlay = false, watermark, logo = false, speed = 1 }: PictureChanges): boolean =>
  overlay || logo || speed > 1 || (watermark ?? '').trim() !== ''

/** A file of footage that is made in the background and kept for some days (api.md §14). */
export const footageExport = z.object({
  exportId: id,
  /** As given; empty if it has none. */
  name: z.string(),
  format: exportFormat,
  cameraIds: z.array(id),
  from: dateTime,
  till: dateTime,
  /** Seconds from `from` to `till`. */
  duration: z.number(),
  status: exportStatus,
  /** 0-100; 100 when it is done. */
  progress: z.int(),
  /** Why it failed; null otherwise. */
  failure: z.nullable(exportFailure),
  /** The reason as an English sentence. */
  failureDetail: z.nullable(z.string()),
  reason: z.string(),
  /** The file can only be opened with the password that was given. */
  hasPassword: z.boolean(),
  /** Whether the file has sound; false if the user lacked the right to hear it. Null until the export is done. */
  hasSound: z.nullable(z.boolean()),
  /**
   * The sound in the file. Of several cameras, the first of `leftOut`, `hidden`, `replaced`, `encoded`, `kept` and `none` that one of them has. Null until
   * the export is done, and for those of before it was noted.
   */
  sound: z.nullable(clipSound),
  /** Name of the camera and local time are in the pictures, which were re-encoded for it: they aren't what the camera sent. */
  overlay: z.boolean(),
  /** Text in the pictures, which were re-encoded for it; null if there is none. */
  watermark: z.nullable(z.string()),
  /** The brand's logo is in the pictures, which were re-encoded for it. */
  logo: z.boolean(),
  /** So many times faster than recorded, with re-encoded pictures and without sound; 1 as recorded. */
  speed: z.int(),
  /** The user who requested it. */
  userId: id,
  createdAt: dateTime,
  /** When its file was complete; null until then. */
  exportedAt: z.nullable(dateTime),
  /** When its file is removed; null until it is complete. */
  expiresAt: z.nullable(dateTime),
  sizeBytes: z.nullable(z.int()),
  /** Of the whole file, hexadecimal. */
  sha256: z.nullable(z.string()),
})
export type FootageExport = z.infer<typeof footageExport>

const exportParams = z.object({ exportId: idText })
// Files of footage with reasons and names aren't for the visitors of a public demo.
const common = { access: 'tenant', right: 'export', support: 'no', visitor: 'no' } as const
const one = { ...common, access: 'object', ids: { 'params.exportId': 'export' }, params: exportParams } as const

export const newExport = z.object({
  /** Each camera once. */
  cameraIds: z.array(id).check(
    z.minLength(1),
    z.maxLength(MAX_EXPORT_CAMERAS),
    z.refine((ids) => new Set(ids).size === ids.length, 'each camera once'),
  ),
  from: dateTimeText,
  till: dateTimeText,
  format: exportFormat,
  /** Names the file. */
  name: z.optional(boundedText(1, 100)),
  /** Of a ZIP file: encrypts what is in it with AES-256. It is never stored in readable form, and not kept once the file is made. */
  password: z.optional(z.string().check(z.minLength(8), z.maxLength(128))),
  /** Why the footage is exported; the file says so. */
  reason: z.optional(boundedText(1, MAX_EXPORT_REASON)),
  /**
   * Name of the camera and local time with its difference to UTC in the pictures, which are re-encoded for it. Needs an encoder on the
   * server, or else: code 17.
   */
  overlay: z.optional(z.boolean()),
  /** Text across the pictures, which are re-encoded for it; without text there is none. Needs an encoder on the server, or else: code 17. */
  watermark: z.optional(boundedText(1, 100)),
  /**
   * The brand's logo at the bottom right of the pictures, which are re-encoded for it. Needs a logo that is a PNG, as uploaded ones are, and an
   * encoder on the server, or else: code 17.
   */
  logo: z.optional(z.boolean()),
  /**
   * So many times faster than it was recorded: the pictures are re-encoded for it, at most 30 a second, and the file has no sound. Needs an
   * encoder on the server, or else: code 17. 1 by default, as recorded.
   */
  speed: z.optional(exportSpeed),
})
export type NewExport = z.infer<typeof newExport>

export const addExport = route({
  ...common,
  name: 'addExport',
  summary: 'Export footage of one to nine cameras as a signed file',
  method: 'POST',
  path: 'exports',
  operation: 60,
  ids: { 'body.cameraIds': 'camera' },
  body: newExport,
  status: 202,
  reply: footageExport,
  errors: ['validation', 'notFound', 'businessRule', 'mediaNotSupported'],
})

export const getExports = route({
  ...common,
  name: 'getExports',
  summary: 'List exports, newest first: the owner sees all of the account, others their own',
  method: 'GET',
  path: 'exports',
  reply: z.array(footageExport),
  list: { key: 'exportId', sort: ['-createdAt'], defaultLimit: 'all' },
  errors: [],
})

export const getExportOptions = route({
  ...common,
  name: 'getExportOptions',
  summary: 'What can be encoded for exports on this server',
  method: 'GET',
  path: 'exportOptions',
  reply: z.object({
    /** Whether name and time, or a watermark, can be put into pictures, and whether a file can be faster than it was recorded. */
    overlay: z.boolean(),
    /** Whether the brand's logo can be put into pictures: that needs a logo that is a PNG, too. */
    logo: z.boolean(),
    /** Whether sound that players don't know (G.711) becomes AAC. */
    sound: z.boolean(),
  }),
  errors: [],
})

export const getExport = route({
  ...one,
  name: 'getExport',
  summary: 'Get an export and its progress',
  method: 'GET',
  path: 'exports/{exportId}',
  reply: footageExport,
  errors: ['notFound'],
})

export const deleteExport = route({
  ...one,
  name: 'deleteExport',
  summary: 'Cancel an export, or delete its file',
  method: 'DELETE',
  path: 'exports/{exportId}',
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})

export const downloadExport = route({
  ...one,
  name: 'downloadExport',
  summary: 'Download the file of an export: redirects (302) to an address that is valid for 30 minutes',
  method: 'GET',
  path: 'exports/{exportId}/download',
  operation: 76,
  media: ['application/octet-stream'],
  reply: z.unknown(),
  errors: ['notFound', 'businessRule'],
})

export const addExportLink = route({
  ...one,
  name: 'addExportLink',
  summary: 'Create an address for the file of an export without a token, for browsers; it is valid for 30 minutes',
  method: 'POST',
  path: 'exports/{exportId}/links',
  status: 201,
  changesNothing: true,
  notReplayed: 'the reply contains a secret that isn’t stored, and an unused extra address does no harm',
  reply: z.object({ url: z.string(), expiresAt: dateTime }),
  errors: ['notFound', 'businessRule'],
})

export const verifyExportHash = route({
  name: 'verifyExportHash',
  summary: 'Check whether a file is the one that was exported, by its hash',
  method: 'POST',
  path: 'exports/{exportNumber}/verify',
  access: 'public',
  support: 'yes',
  changesNothing: true,
  notReplayed: 'it changes nothing',
  /** The id of an export of any account: the hash is what counts. */
  params: z.object({ exportNumber: idText }),
  /** SHA-256 of the file, hexadecimal. */
  body: z.object({ sha256: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)) }),
  reply: z.object({
    /** Also false for an export that doesn't exist. */
    valid: z.boolean(),
    /** Fingerprint of the key that signed every file in the export; null if the hash is another one, or the export older than 2026-11-28. */
    signer: z.nullable(z.string()),
    /** When the file was complete and signed; null if the hash is another one. */
    signedAt: z.nullable(dateTime),
  }),
  errors: ['validation'],
})

/** The address of the file of an export: `https://host/stream/export/open?ticket=…`. */
export const EXPORT_PATH = '/stream/export/open'
