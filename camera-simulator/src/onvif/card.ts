import type { EpochMs } from '../clock.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const RECORDING_NAMESPACES = {
  search: 'http://www.onvif.org/ver10/search/wsdl',
  recording: 'http://www.onvif.org/ver10/recording/wsdl',
  replay: 'http://www.onvif.org/ver10/replay/wsdl',
} as const

export interface CardSettings {
  /** MiB. */
  readonly capacity: number
  readonly free: number
  /** How long it takes to format it. */
  readonly formatMs: number
  /** How long before the camera's start its footage begins. */
  readonly secondsBefore: number
  /** Whether ISAPI answers, so that its size is known and it can be formatted. */
  readonly isapi: boolean
  /** With several inputs: what says which recording is of which input. */
  /** `oneJob`: all inputs are recorded into one recording. */
  readonly tiedBy: 'jobs' | 'sources' | 'nothing' | 'oneJob'
}

/** What of a device is recorded: an input of a recorder. */
export interface RecordedInput {
  readonly input: number
  readonly profile: string
  readonly source: string
}

/**
 * A card that the camera always records to, connected or not (ONVIF Profile G). Nothing is stored, because the pictures of any time
 * can be generated again.
 */
export class SimulatedCard {
  readonly #settings: CardSettings
  readonly #now: () => EpochMs
  readonly #clockAhead: () => number
  #from: EpochMs
  #formattingUntil: EpochMs = 0
  readonly #searches = new Map<string, number>()
  #made = 0

  /** `clockAhead`: how far the camera's clock is ahead of the true time, in milliseconds. */
  constructor(settings: CardSettings, now: () => EpochMs, clockAhead: () => number) {
    this.#settings = settings
    this.#now = now
    this.#clockAhead = clockAhead
    this.#from = now() - settings.secondsBefore * 1000
  }

  /** True time of its first picture; what was on it before it was formatted is gone. */
  get from(): EpochMs {
    return this.#from
  }

  get isFormatting(): boolean {
    return this.#now() < this.#formattingUntil
  }

  format(): void {
    this.#formattingUntil = this.#now() + this.#settings.formatMs
    this.#from = this.#formattingUntil
  }

  get disk() {
    const { capacity, free, isapi } = this.#settings
    const isEmpty = this.#from > this.#now() - 1000
    if (!isapi) return undefined
    return { capacity, free: isEmpty ? capacity : free, status: this.isFormatting ? 'formating' : 'ok' }
  }

  /** True times of a range that the camera's clock names. */
  trueTime(cameraTime: EpochMs): EpochMs {
    return cameraTime - this.#clockAhead()
  }

  cameraTime(trueTime: EpochMs): EpochMs {
    return trueTime + this.#clockAhead()
  }

  /** `inputs`: each has a recording of its own, the last first. Undefined for another operation. */
  perform(
    operation: string,
    body: XmlNode,
    { replayUri, inputs }: { readonly replayUri: string; readonly inputs: readonly RecordedInput[] },
  ): string | SoapFault | undefined {
    switch (operation) {
      case 'GetRecordingSummary':
        return (
          '<tse:GetRecordingSummaryResponse xmlns:tse="http://www.onvif.org/ver10/search/wsdl"><tse:Summary>' +
          `<tt:DataFrom>${this.#text(this.#from)}</tt:DataFrom><tt:DataUntil>${this.#text(this.#now())}</tt:DataUntil>` +
          `<tt:NumberRecordings>${this.isFormatting ? 0 : 1}</tt:NumberRecordings></tse:Summary></tse:GetRecordingSummaryResponse>`
        )
      case 'FindRecordings': {
        const token = `search${++this.#made}`
        this.#searches.set(token, 0)
        return (
          '<tse:FindRecordingsResponse xmlns:tse="http://www.onvif.org/ver10/search/wsdl">' +
          `<tse:SearchToken>${token}</tse:SearchToken></tse:FindRecordingsResponse>`
        )
      }
      case 'GetRecordingSearchResults':
        return this.#results(getText(child(body, 'SearchToken')) ?? '', inputs)
      case 'GetRecordingJobs':
        return this.#jobs(inputs)
      case 'EndSearch':
        this.#searches.delete(getText(child(body, 'SearchToken')) ?? '')
        return (
          '<tse:EndSearchResponse xmlns:tse="http://www.onvif.org/ver10/search/wsdl">' +
          `<tse:Endpoint>${this.#text(this.#now())}</tse:Endpoint></tse:EndSearchResponse>`
        )
      case 'GetReplayUri': {
        const token = getText(child(body, 'RecordingToken'))
        const { input = 1 } = inputs.find((one) => recordingOf(one) === token) ?? {}
        return (
          '<trp:GetReplayUriResponse xmlns:trp="http://www.onvif.org/ver10/replay/wsdl">' +
          `<trp:Uri>${escapeXml(replayUri)}${input === 1 ? '' : `?input=${input}`}</trp:Uri></trp:GetReplayUriResponse>`
        )
      }
      default:
        return undefined
    }
  }

  /** The first poll finds nothing yet, as with real cameras. */
  #results(token: string, inputs: readonly RecordedInput[]): string | SoapFault {
    const polls = this.#searches.get(token)
    if (polls === undefined)
      return { code: 'Sender', subcodes: ['ter:InvalidArgVal', 'ter:InvalidToken'], reason: 'No such search' }
    this.#searches.set(token, polls + 1)
    const found =
      polls === 0 || this.isFormatting
        ? ''
        : inputs
            .toReversed()
            .map((input) => this.#recording(input))
            .join('')
    return (
      '<tse:GetRecordingSearchResultsResponse xmlns:tse="http://www.onvif.org/ver10/search/wsdl"><tse:ResultList>' +
      `<tt:SearchState>${polls === 0 ? 'Searching' : 'Completed'}</tt:SearchState>${found}` +
      '</tse:ResultList></tse:GetRecordingSearchResultsResponse>'
    )
  }

  #recording(input: RecordedInput): string {
    const source = this.#settings.tiedBy === 'sources' ? input.source : 'urn:card'
    return (
      `<tt:RecordingInformation><tt:RecordingToken>${recordingOf(input)}</tt:RecordingToken>` +
      `<tt:Source><tt:SourceId>${source}</tt:SourceId><tt:Name>Card</tt:Name><tt:Location/><tt:Description/><tt:Address/></tt:Source>` +
      `<tt:EarliestRecording>${this.#text(this.#from)}</tt:EarliestRecording>` +
      `<tt:LatestRecording>${this.#text(this.#now())}</tt:LatestRecording><tt:Content/>` +
      '<tt:Track><tt:TrackToken>video</tt:TrackToken><tt:TrackType>Video</tt:TrackType><tt:Description/>' +
      `<tt:DataFrom>${this.#text(this.#from)}</tt:DataFrom><tt:DataTo>${this.#text(this.#now())}</tt:DataTo></tt:Track>` +
      '<tt:RecordingStatus>Recording</tt:RecordingStatus></tt:RecordingInformation>'
    )
  }

  /** Undefined if the device doesn't know recording jobs. */
  #jobs(inputs: readonly RecordedInput[]): string | undefined {
    const { tiedBy } = this.#settings
    if (tiedBy !== 'jobs' && tiedBy !== 'oneJob') return undefined
    const sourceOf = ({ profile }: RecordedInput) =>
      '<tt:Source><tt:SourceToken Type="http://www.onvif.org/ver10/schema/Profile">' +
      `<tt:Token>${profile}</tt:Token></tt:SourceToken></tt:Source>`
    const jobOf = (input: RecordedInput, sources: readonly RecordedInput[]) =>
      `<trc:JobItem><tt:JobToken>job${input.input}</tt:JobToken><tt:JobConfiguration>` +
      `<tt:RecordingToken>${recordingOf(input)}</tt:RecordingToken><tt:Mode>Active</tt:Mode><tt:Priority>1</tt:Priority>` +
      `${sources.map(sourceOf).join('')}</tt:JobConfiguration></trc:JobItem>`
    const items =
      tiedBy === 'jobs'
        ? inputs.map((input) => jobOf(input, [input]))
        : inputs.slice(0, 1).map((input) => jobOf(input, inputs))
    return (
      '<trc:GetRecordingJobsResponse xmlns:trc="http://www.onvif.org/ver10/recording/wsdl">' +
      `${items.join('')}</trc:GetRecordingJobsResponse>`
    )
  }

  #text(time: EpochMs): string {
    return new Date(this.cameraTime(time)).toISOString()
  }
}

const recordingOf = ({ input }: RecordedInput): string => (input === 1 ? 'card-recording' : `card-recording${input}`)

/** For GetServices: the services that a camera with a card has. */
export const cardServices = (base: string, service: (namespace: string, address: string) => string): string =>
  Object.entries(RECORDING_NAMESPACES)
    .map(([name, namespace]) => service(namespace, `${base}/onvif/${name}_service`))
    .join('')

export const CARD_PATHS = Object.keys(RECORDING_NAMESPACES).map((name) => `/onvif/${name}_service`)
