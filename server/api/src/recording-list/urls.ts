import type { Recording } from '@sightline/contract/recording-list'
import { getDenyReason } from '@sightline/contract/rights'
import { CLIP_PATH, HLS_PATH, MSE_PATH, streamRules } from '@sightline/contract/streams'
import type { MemberCaller } from '@sightline/platform/sessions'
import { rtspUrls, toHttp } from '../streams/index.ts'

interface RecordingOrigins {
  readonly caller: MemberCaller
  /** Of the media plane for sockets. */
  readonly origin: string
  /** Undefined if RTSP is off. */
  readonly rtspOrigin: string | undefined
}

/** All addresses of a recording that a caller is offered. */
export function recordingUrls(
  { cameraId, startTime, endTime, inProgress }: Omit<Recording, 'urls'>,
  { caller, origin, rtspOrigin }: RecordingOrigins,
): Recording['urls'] {
  const [from, till] = [startTime, endTime].map(encodeURIComponent)
  const http = toHttp(origin)
  const camera = `?camera_id=${cameraId}`
  // One that is still recorded grows.
  const span = `${camera}&from=${from}${inProgress ? '' : `&till=${till}`}`
  const hls = `${http}${HLS_PATH}${span}`
  const mayExport = getDenyReason(streamRules.mp4, caller) === undefined
  return {
    mseWss: `${origin}${MSE_PATH}${camera}&time=${from}`,
    ...(http.startsWith('https:') ? { hlsHttps: hls } : { hlsHttp: hls }),
    ...(rtspOrigin && rtspUrls(rtspOrigin, http, span)),
    ...(mayExport ? { mp4: `${http}${CLIP_PATH}${camera}&recording_from=${from}&recording_till=${till}` } : {}),
  }
}
