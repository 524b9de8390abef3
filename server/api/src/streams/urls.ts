import { sendCameraAudio } from '@sightline/contract/camera-audio'
import { getDenyReason } from '@sightline/contract/rights'
import {
  HLS_PATH,
  JPEG_PATH,
  MSE_PATH,
  MULTIPART_AUDIO_PATH,
  MULTIPART_PATH,
  RTSP_PATH,
  type StreamName,
  type StreamUrls,
  WHEP_PATH,
} from '@sightline/contract/streams'
import type { MemberCaller } from '@sightline/platform/sessions'

export interface OfferedStream {
  /** `wss://host` of the media plane, or `ws://host` without TLS. */
  readonly origin: string
  /** `rtsp://host:port`; undefined if it is off. */
  readonly rtspOrigin: string | undefined
  readonly servesWebRtc: boolean
  readonly cameraId: number
  readonly stream: StreamName
  readonly caller: MemberCaller
  /** Whether the server makes JPEGs of live video, or perhaps the camera. */
  readonly hasPictures: boolean
}

/** The same address for requests instead of sockets. */
export const toHttp = (origin: string): string => origin.replace(/^ws/, 'http')

const queryOf = ({ cameraId, stream }: Pick<OfferedStream, 'cameraId' | 'stream'>): string =>
  `?camera_id=${cameraId}${stream === 'sub' ? '&stream=sub' : ''}`

/** The address of the WebSocket of a stream. */
export const mseAddress = (origin: string, of: Pick<OfferedStream, 'cameraId' | 'stream'>): string =>
  `${origin}${MSE_PATH}${queryOf(of)}`

/** All addresses of a stream that this server offers a caller (api.md §12). */
export function toStreamUrls(offered: OfferedStream): StreamUrls {
  const { origin, rtspOrigin, servesWebRtc, cameraId, stream, caller, hasPictures } = offered
  const query = queryOf(offered)
  const http = toHttp(origin)
  const isSecure = http.startsWith('https:')
  const hls = `${http}${HLS_PATH}${query}`
  const talk = `${http}/rest/v2.4/cameras/${cameraId}/audio`
  const mayTalk = getDenyReason(sendCameraAudio, caller) === undefined
  const talking = isSecure ? { audioPushHttps: talk } : { audioPushHttp: talk }
  return {
    mseWss: mseAddress(origin, offered),
    ...(rtspOrigin && rtspUrls(rtspOrigin, http, query)),
    ...(servesWebRtc && { webRtcWhep: `${http}${WHEP_PATH}${query}` }),
    ...(isSecure ? { hlsHttps: hls, llHlsHttps: `${hls}&low_latency=1` } : { hlsHttp: hls }),
    ...(hasPictures && pictureUrls({ http, query, mayHear: caller.rights.has('microphone') })),
    ...(mayTalk && stream === 'main' ? talking : {}),
  }
}

function pictureUrls({
  http,
  query,
  mayHear,
}: {
  readonly http: string
  readonly query: string
  readonly mayHear: boolean
}): StreamUrls {
  const mjpeg = `${http}${JPEG_PATH}${query}`
  const multipart = `${http}${MULTIPART_PATH}${query}`
  const heard = mayHear ? `${http}${MULTIPART_AUDIO_PATH}${query}` : undefined
  return http.startsWith('https:')
    ? { mjpegHttps: mjpeg, multipartHttps: multipart, ...(heard && { multipartaudioHttps: heard }) }
    : { mjpegHttp: mjpeg, multipartHttp: multipart, ...(heard && { multipartaudioHttp: heard }) }
}

/** Those of the types that are asked for; `types` separated by commas. */
export function chosenUrls<Urls extends object>(urls: Urls, types: string | undefined): Partial<Urls> {
  if (types === undefined) return urls
  const wanted = new Set(types.split(','))
  return Object.fromEntries(Object.entries(urls).filter(([type]) => wanted.has(type))) as Partial<Urls>
}

/** With the scheme of RTSP, because players choose RTSP over HTTP by a setting. */
export function rtspUrls(
  rtspOrigin: string,
  http: string,
  query: string,
): Pick<StreamUrls, 'rtsp' | 'rtspHttp' | 'rtspHttps'> {
  const rtsp = `${rtspOrigin}${RTSP_PATH}${query}`
  const inside = `${http.replace(/^http/, 'rtsp')}${RTSP_PATH}${query}`
  return http.startsWith('https:') ? { rtsp, rtspHttps: inside } : { rtsp, rtspHttp: inside }
}
