import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { parseRtspAddress, type RtspAddress } from '../rtsp/rtsp-address.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, neededText, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** A recording on a camera's card; milliseconds since 1970, by our clock. */
export interface CardRecording {
  readonly token: string
  readonly from: number
  readonly until: number
}

const MAX_RECORDINGS = 256
/** Searches live ten seconds; each poll keeps one alive. */
const POLLS = 20
const SCHEMA = 'http://www.onvif.org/ver10/schema'

const searchShape = z.object({ SearchToken: neededText })
const resultsShape = z.object({
  ResultList: element(
    z.object({
      SearchState: text,
      RecordingInformation: list(
        z.object({ RecordingToken: neededText, EarliestRecording: text, LatestRecording: text }),
        MAX_RECORDINGS,
      ),
    }),
  ),
})
const uriShape = z.object({ Uri: neededText })

/**
 * What a camera recorded on its card (ONVIF Recording Search §5.7, §5.8). All recordings are asked for, because cameras filter
 * wrongly. `isUnsupported` in the fault: it has no search.
 */
export async function findCardRecordings(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<readonly CardRecording[]>> {
  const content = '<o:Scope/><o:KeepAliveTime>PT10S</o:KeepAliveTime>'
  const begun = await device.call('search', 'FindRecordings', { content, shape: searchShape, signal })
  if (!begun.ok) return begun
  const token = `<o:SearchToken>${escapeXml(begun.value.SearchToken)}</o:SearchToken>`
  const found = new Map<string, CardRecording>()
  for (let poll = 0; poll < POLLS; poll++) {
    const results = await device.call('search', 'GetRecordingSearchResults', {
      content: `${token}<o:MinResults>1</o:MinResults><o:MaxResults>100</o:MaxResults><o:WaitTime>PT2S</o:WaitTime>`,
      shape: resultsShape,
      signal,
    })
    if (!results.ok) return results
    const { SearchState, RecordingInformation } = results.value.ResultList
    for (const { RecordingToken, EarliestRecording, LatestRecording } of RecordingInformation) {
      const from = Date.parse(EarliestRecording ?? '') - device.client.clockAheadMs
      const until = Date.parse(LatestRecording ?? '') - device.client.clockAheadMs
      if (from <= until) found.set(RecordingToken, { token: RecordingToken, from, until })
    }
    if (SearchState === 'Completed') break
  }
  await device.call('search', 'EndSearch', { content: token, shape: z.unknown(), signal })
  return ok([...found.values()])
}

/** Where a recording is replayed (ONVIF Replay §5.2): always on the host of the camera, whatever host it names. */
export async function findReplayAddress(
  device: OnvifCommander,
  { token }: Pick<CardRecording, 'token'>,
  signal: AbortSignal,
): Promise<OnvifResult<RtspAddress>> {
  const content =
    `<o:StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream><Transport xmlns="${SCHEMA}"><Protocol>RTSP</Protocol></Transport>` +
    `</o:StreamSetup><o:RecordingToken>${escapeXml(token)}</o:RecordingToken>`
  const reply = await device.call('replay', 'GetReplayUri', { content, shape: uriShape, signal })
  if (!reply.ok) return reply
  const address = parseRtspAddress(reply.value.Uri.replace(/^(rtsps?:\/\/)[^/@]*@/i, '$1'))
  if (!address.ok) return fail(fault('badReply', 'expected an rtsp URL of the recording, got something else'))
  return ok({ ...address.value, host: device.client.address.host })
}
