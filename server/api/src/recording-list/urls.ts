import type { Recording } from '@sightline/contract/recording-list'
import { getDenyReason } from '@sightline/contract/rights'
import { CLIP_PATH, HLS_PATH, MSE_PATH, streamRules } from '@sightline/contract/streams'
import type { MemberCaller } from '@sightline/platform/sessions'
import { toHttp } from '../streams/index.ts'

/** All addresses of a recording that a caller is offered; `origin` is that of the media plane for sockets. */
export function recordingUrls(
  { cameraId, startTime, endTime, inProgress }: Omit<Recording, 'urls'>,
  { caller, origin }: { readonly caller: MemberCaller; readonly origin: string },
): Recording['urls'] {
  const [from, till] = [startTime, endTime].map(encodeURIComponent)
  const http = toHttp(origin)
  const camera = `?camera_id=${cameraId}`
  // The list of one that is still recorded grows.
  const hls = `${http}${HLS_PATH}${camera}&from=${from}${inProgress ? '' : `&till=${till}`}`
  const mayExport = getDenyReason(streamRules.mp4, caller) === undefined
  return {
    mseWss: `${origin}${MSE_PATH}${camera}&time=${from}`,
    ...(http.startsWith('https:') ? { hlsHttps: hls } : { hlsHttp: hls }),
    ...(mayExport ? { mp4: `${http}${CLIP_PATH}${camera}&recording_from=${from}&recording_till=${till}` } : {}),
  }
}
