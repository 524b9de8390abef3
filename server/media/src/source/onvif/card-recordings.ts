import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { parseRtspAddress, type RtspAddress } from '../rtsp/rtsp-address.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, neededText, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** A recording on a camera's card; milliseconds since 1970, by our clock. */
export interface CardRecording {
  readonly token: string
  readonly from: number
  readonly until: number
}

const MAX_RECORDINGS = 256
const MAX_JOB_SOURCES = 16
/** A recorder of 64 inputs with several jobs each. */
const MAX_JOBS_BYTES = 1024 * 1024
/** Searches live ten seconds; each poll keeps one alive. */
const POLLS = 20
const SCHEMA = 'http://www.onvif.org/ver10/schema'

const searchShape = z.object({ SearchToken: neededText })
const resultsShape = z.object({
  ResultList: element(
    z.object({
      SearchState: text,
      RecordingInformation: list(
        z.object({
          RecordingToken: neededText,
          Source: optionalElement(z.object({ SourceId: text })),
          EarliestRecording: text,
          LatestRecording: text,
        }),
        MAX_RECORDINGS,
      ),
    }),
  ),
})
const jobsShape = z.object({
  JobItem: list(
    z.object({
      JobConfiguration: element(
        z.object({
          RecordingToken: neededText,
          Source: list(z.object({ SourceToken: optionalElement(z.object({ Token: text })) }), MAX_JOB_SOURCES),
        }),
      ),
    }),
    MAX_RECORDINGS,
  ),
})
const uriShape = z.object({ Uri: neededText })

/**
 * What a camera recorded on its card, or a recorder of one of its inputs (`ofInput`). `isUnsupported` in the fault: it has no
 * search, or the recorder doesn't say which of its recordings is of the input; footage of another input must never get in.
 */
export async function findCardRecordings(
  device: OnvifCommander,
  signal: AbortSignal,
  { ofInput }: { readonly ofInput: boolean },
): Promise<OnvifResult<readonly CardRecording[]>> {
  if (!ofInput) return await findAllRecordings(device, signal)
  const input = await describeInput(device, signal)
  if (!input.ok) return input
  const found = await findAllRecordings(device, signal)
  if (!found.ok) return found
  const { recordedAs, names } = input.value
  const own = found.value.filter(({ token, source }) =>
    recordedAs.size > 0 ? recordedAs.has(token) : names.has(source),
  )
  if (own.length > 0 || recordedAs.size > 0 || found.value.length === 0) return ok(own)
  return fail(UNKNOWN_INPUT)
}

const UNKNOWN_INPUT = {
  ...fault('badReply', 'the recorder doesn’t say which of its recordings belongs to this input'),
  isRefusal: true,
  isUnsupported: true,
}

interface RecordedInput {
  /** Tokens of the recordings that recording jobs make of the input: of its main stream, or else of any of its streams. */
  readonly recordedAs: ReadonlySet<string>
  /** Its profiles and its video source, as recordings may name them. */
  readonly names: ReadonlySet<string>
}

/** What ties recordings to the input: recording jobs (ONVIF Recording Control §5.20), or names of their sources. */
async function describeInput(device: OnvifCommander, signal: AbortSignal): Promise<OnvifResult<RecordedInput>> {
  const [main, profiles] = [await device.mainProfile(), await device.profiles()]
  if (!main.ok) return main
  if (!profiles.ok) return profiles
  // Without sources all profiles look like those of this input.
  if (main.value.source === '' || profiles.value.some(({ source }) => source !== main.value.source))
    return fail(UNKNOWN_INPUT)
  const names = new Set(profiles.value.flatMap(({ token, eventSources }) => [token, ...eventSources]))
  names.delete('')
  const jobs = await device.call('recording', 'GetRecordingJobs', {
    shape: jobsShape,
    maxReplyBytes: MAX_JOBS_BYTES,
    signal,
  })
  if (!jobs.ok && jobs.failure.isRefusal !== true) return jobs
  const sourcesOf = new Map<string, string[]>()
  for (const { JobConfiguration } of jobs.ok ? jobs.value.JobItem : []) {
    const { RecordingToken, Source } = JobConfiguration
    const named = Source.map(({ SourceToken }) => SourceToken?.Token ?? '')
    sourcesOf.set(RecordingToken, [...(sourcesOf.get(RecordingToken) ?? []), ...named])
  }
  // A recording of several inputs is none's own.
  const own = [...sourcesOf].filter(([, sources]) => sources.length > 0 && sources.every((source) => names.has(source)))
  const ofMain = own.filter(([, sources]) => sources.includes(main.value.token))
  const recordedAs = new Set((ofMain.length > 0 ? ofMain : own).map(([token]) => token))
  return ok({ recordedAs, names: sourcesOf.size > 0 ? new Set() : names })
}

interface FoundRecording extends CardRecording {
  /** What was recorded, in the device's words; empty if it doesn't say. */
  readonly source: string
}

/** ONVIF Recording Search §5.7, §5.8. All recordings are asked for, because cameras filter wrongly. */
async function findAllRecordings(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<readonly FoundRecording[]>> {
  const content = '<o:Scope/><o:KeepAliveTime>PT10S</o:KeepAliveTime>'
  const begun = await device.call('search', 'FindRecordings', { content, shape: searchShape, signal })
  if (!begun.ok) return begun
  const token = `<o:SearchToken>${escapeXml(begun.value.SearchToken)}</o:SearchToken>`
  const found = new Map<string, FoundRecording>()
  for (let poll = 0; poll < POLLS; poll++) {
    const results = await device.call('search', 'GetRecordingSearchResults', {
      content: `${token}<o:MinResults>1</o:MinResults><o:MaxResults>100</o:MaxResults><o:WaitTime>PT2S</o:WaitTime>`,
      shape: resultsShape,
      signal,
    })
    if (!results.ok) return results
    const { SearchState, RecordingInformation } = results.value.ResultList
    for (const { RecordingToken, Source, EarliestRecording, LatestRecording } of RecordingInformation) {
      const from = Date.parse(EarliestRecording ?? '') - device.client.clockAheadMs
      const until = Date.parse(LatestRecording ?? '') - device.client.clockAheadMs
      const source = Source?.SourceId ?? ''
      if (from <= until) found.set(RecordingToken, { token: RecordingToken, source, from, until })
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
