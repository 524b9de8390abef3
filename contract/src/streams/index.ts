import * as z from 'zod/mini'

export {
  CLIP_PATH,
  HLS_FOLDER,
  HLS_PATH,
  isHttpStream,
  isPictureStream,
  isWhep,
  JPEG_PATH,
  type MediaTimes,
  MSE_PATH,
  MULTIPART_AUDIO_PATH,
  MULTIPART_PATH,
  mediaTimes,
  PICTURE_WIDTHS,
  RTSP_PATH,
  type SentPictures,
  SNAPSHOT_PATH,
  SUMMARY_PATH,
  sentPictures,
  WHEP_PATH,
  WHEP_SESSION_PATH,
} from './addresses.ts'
export {
  type StreamClientMessage,
  type StreamServerMessage,
  streamClientMessage,
  streamServerMessage,
} from './messages.ts'

import type { Rule } from '../rights/index.ts'
import { HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'
import { dateTime, dateTimeText, idText, route } from '../wire/index.ts'

export const MAX_EXPORT_REASON = 500

const cameraParams = z.object({ cameraId: idText })
const ofCamera = { 'params.cameraId': 'camera' } as const

const url = z.optional(z.string())

/**
 * The addresses that this server offers a caller for a camera now. Those with `http` are for servers without TLS, those with `https` for
 * the others. Clients append `&ticket=` or `&access_token=`: docs/guide/video.md.
 */
export const streamUrls = z.object({
  mseWss: url,
  /** If the operator switched RTSP on. Media comes in the same connection (TCP). */
  rtsp: url,
  /** The same over HTTP (a GET and a POST), on the port of the web pages. */
  rtspHttp: url,
  rtspHttps: url,
  hlsHttp: url,
  hlsHttps: url,
  llHlsHttps: url,
  /** If the operator switched WebRTC on: a POST with an offer opens it (WHEP). */
  webRtcWhep: url,
  /** Live pictures as JPEG, several a second, if this server can make them. With `audio`, the sound is between them. */
  mjpegHttp: url,
  mjpegHttps: url,
  multipartHttp: url,
  multipartHttps: url,
  multipartaudioHttp: url,
  multipartaudioHttps: url,
  /** Where sound for the loudspeaker goes, as a call of the API with its `Authorization`. */
  audioPushHttp: url,
  audioPushHttps: url,
  /**
   * Where the camera sends the stream in its own network, for users with the rights `editCamera` and `localExceptions`. Never with
   * credentials: without it, the address isn't known, or may contain a password.
   */
  localRtsp: url,
})
export type StreamUrls = z.infer<typeof streamUrls>

/** Types separated by commas; unknown ones are ignored. */
export const urlTypesText = z.string().check(z.regex(/^([A-Za-z0-9]{1,16}(,[A-Za-z0-9]{1,16}){0,19})?$/))

/** A camera's streams: `sub` is the smaller one beside the main stream, for small pictures. */
export const streamNames = ['main', 'sub'] as const
export const streamName = z.enum(streamNames)
export type StreamName = z.infer<typeof streamName>

export const cameraStream = z.object({
  /** 0: the main stream; 1: the sub-stream. */
  streamId: z.object({ value: z.int() }),
  stream: streamName,
  /** As last seen; null before its first picture. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  codec: z.nullable(z.string()),
  urls: streamUrls,
})

export const getStreams = route({
  name: 'getStreams',
  summary: 'List the stream addresses of a camera: the main stream, and the sub-stream if it has one',
  method: 'GET',
  path: 'cameras/{cameraId}/streams',
  access: 'object',
  right: 'LiveCamera',
  support: 'video',
  ids: ofCamera,
  params: cameraParams,
  query: z.object({
    /** Only addresses of these types; all of them if omitted. */
    urlTypes: z.optional(urlTypesText),
  }),
  reply: z.array(cameraStream),
  list: { key: 'streamId.value', sort: ['streamId.value'], defaultLimit: 'all' },
  errors: ['notFound'],
})

/** Why footage is exported, for its manifest. */
const exportReason = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(MAX_EXPORT_REASON),
  z.refine((text) => !steersText(text), HIDDEN_CHARACTERS),
)

/** `mp4` is a file of footage to download, `snapshot` one picture: of now, or of `from`. */
export const ticketUse = z.enum(['live', 'playback', 'mp4', 'snapshot'])
export type TicketUse = z.infer<typeof ticketUse>

/**
 * A ticket opens one stream, once, within five minutes. The stream is bound to the token that requested the ticket. One for a file
 * opens it as often as needed within half an hour, so that a download can be resumed.
 */
export const TICKET_LIFE_MS = 5 * 60_000

export const postStreamTicket = route({
  name: 'postStreamTicket',
  summary: 'Create a one-time ticket for a stream, so that no token is part of an address',
  method: 'POST',
  path: 'cameras/{cameraId}/streamTickets',
  access: 'object',
  right: 'LiveCamera',
  support: 'video',
  changesNothing: true,
  ids: ofCamera,
  params: cameraParams,
  body: z.object({
    use: ticketUse,
    /** Without it, the ticket opens the stream of the address that it is used with. */
    stream: z.optional(streamName),
    /** Where playback begins, or the time of a snapshot. A file has the footage from here to `till`, both of which it needs. */
    from: z.optional(dateTimeText),
    till: z.optional(dateTimeText),
    /**
     * Of a file: it proves itself, by a signed manifest at its end (docs/design/export-format.md). Its length isn't known before, and a
     * download that broke off begins again.
     */
    proof: z.optional(z.object({ reason: z.optional(exportReason) })),
  }),
  status: 201,
  reply: z.object({
    ticket: z.string(),
    expiresAt: dateTime,
    /** Of a file or a snapshot: where it is. A `name` that is added to it names the file. */
    url: z.optional(z.string()),
    /** Of a file: where it ends, earlier than asked if another machine has the rest. Ask for another file from there on. */
    till: z.optional(dateTime),
    /** Of live and recorded video: the camera's streams and their addresses, as `getStreams` lists them. Append `&ticket=`. */
    streams: z.optional(z.array(z.object({ stream: streamName, mseWss: z.string() }))),
  }),
  notReplayed: 'the reply contains a secret that isn’t stored, and an unused extra ticket does no harm',
  errors: ['validation', 'notFound', 'tooManyRequests'],
})

/** The requirements for watching, checked when a stream opens and repeatedly while it is open. */
export const streamRules = {
  live: { method: 'GET', callers: 'members', right: 'LiveCamera', support: 'video' },
  playback: { method: 'GET', callers: 'members', right: 'playback', support: 'video' },
  mp4: { method: 'GET', callers: 'members', right: 'export', support: 'no' },
  /** Blurred ones for support are a call of the API only. */
  snapshot: { method: 'GET', callers: 'members', right: 'CameraView', support: 'video' },
} as const satisfies Readonly<Record<TicketUse, Rule>>

/** The additional requirements for sound, live and recorded. */
export const soundRule: Rule = { ...streamRules.live, right: 'microphone' }

/** The longest time that one file has footage of. */
export const MAX_CLIP_HOURS = 12

/** How long a ticket for a file counts after its first use. */
export const CLIP_LIFE_MS = 30 * 60_000
