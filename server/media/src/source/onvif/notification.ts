import * as z from 'zod/mini'
import { element, list, optionalElement, text } from './shapes.ts'

/** What cameras report that is followed, as the type of its event. */
export const reportedTypes = ['motion', 'intrusion', 'tripwire', 'pir', 'audio', 'tampered'] as const
export type ReportedType = (typeof reportedTypes)[number]

/** What a camera reports that it detected. */
export interface MotionNotice {
  readonly type: ReportedType
  /** The rule or video source that reports it; an end belongs to the begin with the same key. */
  readonly key: string
  /** Values of the source that the message names: tokens of a video source, its configuration, a rule. */
  readonly sources: readonly string[]
  readonly isActive: boolean
  /** Whether it is a moment, of which no end is reported. */
  readonly isMoment: boolean
  /** The digital input that reports it; only what users wired to it says what that means. */
  readonly input: string | undefined
  /** Whether it is a state that already was, as sent for a new subscription. */
  readonly isInitial: boolean
  /** By the camera's clock, in milliseconds since 1970; undefined if it is unreadable. */
  readonly cameraTime: number | undefined
}

/** A camera may send so many with one reply; more are left for the next one. */
const MAX_NOTICES = 100
const MAX_ITEMS = 16

interface KnownTopic {
  readonly type: ReportedType
  /** Without prefixes. */
  readonly topics: readonly RegExp[]
  /** Names of the value in such a message. */
  readonly items: readonly string[]
  /** Messages without such a value are moments. */
  readonly isMoment?: boolean
}

const STATES = ['state', 'active', 'logicalstate', 'value']

/** Topics and items of ONVIF (Imaging, Analytics and Device IO services), and below them those of vendors. */
const KNOWN: readonly KnownTopic[] = [
  {
    type: 'motion',
    topics: [
      /^RuleEngine\/CellMotionDetector\/Motion$/,
      /^VideoSource\/MotionAlarm$/,
      /^RuleEngine\/MotionRegionDetector\/Motion$/,
      /^RuleEngine\/(MotionDetector|VideoMotionDetector)\/Motion$/,
      /^VideoAnalytics\/(MotionDetection|MotionDetector|Motion)$/,
      /^VideoSource\/(MotionDetection|Motion)$/,
      /^CameraApplicationPlatform\/VMD\/Camera\w+$/,
    ],
    items: ['ismotion', 'state', 'active', 'motion', 'motionactive', 'logicalstate', 'value'],
  },
  {
    // A covered, turned or defocused camera.
    type: 'tampered',
    topics: [
      /^RuleEngine\/(Tamper|Tampering)Detector\/(Tamper|Tampering)$/,
      /^VideoSource\/GlobalSceneChange\/(ImagingService|AnalyticsService|RecordingService)$/,
      /^VideoSource\/(Tampering|Tamper|TamperingDetection)$/,
      /^VideoAnalytics\/(Tampering|TamperingDetection)$/,
    ],
    items: ['istamper', 'istampering', 'tamper', 'tampering', ...STATES],
  },
  {
    type: 'intrusion',
    topics: [/^RuleEngine\/FieldDetector\/ObjectsInside$/, /^RuleEngine\/(Intrusion|Region)Detector\/\w+$/],
    items: ['isinside', 'isintrusion', ...STATES],
  },
  {
    type: 'tripwire',
    topics: [/^RuleEngine\/LineDetector\/Crossed$/, /^RuleEngine\/LineCrossDetector\/\w+$/],
    items: ['iscrossed', ...STATES],
    isMoment: true,
  },
  { type: 'pir', topics: [/(^|\/)PIR(Sensor|Alarm)?$/i], items: ['ispir', 'pir', ...STATES] },
  {
    type: 'audio',
    topics: [
      /^AudioAnalytics\/Audio\/DetectedSound$/,
      /^AudioSource\/\w+$/,
      /^RuleEngine\/Audio\w*Detector\/\w+$/,
      /^AudioAnalytics\/(Audio|Sound)\w*$/,
    ],
    items: ['issounddetected', 'isaudio', 'isaudioalarm', 'triggered', ...STATES],
  },
]

const items = list(z.object({ '@Name': text, '@Value': text }), MAX_ITEMS)
const itemList = optionalElement(z.object({ SimpleItem: items }))
export const pullShape = z.object({
  NotificationMessage: list(
    z.object({
      Topic: text,
      Message: element(
        z.object({
          Message: element(
            z.object({ '@UtcTime': text, '@PropertyOperation': text, Source: itemList, Key: itemList, Data: itemList }),
          ),
        }),
      ),
    }),
    MAX_NOTICES,
  ),
})
type Message = z.infer<typeof pullShape>['NotificationMessage'][number]

/** What of a reply to PullMessages (ONVIF Core §9.9) is about what the camera detects. */
export const motionNotices = ({ NotificationMessage }: z.infer<typeof pullShape>): readonly MotionNotice[] =>
  NotificationMessage.flatMap((message) => toNotice(message) ?? toInputNotice(message) ?? [])

function toNotice({ Topic, Message: { Message: message } }: Message): MotionNotice | undefined {
  const data = message.Data?.SimpleItem ?? []
  const topic = bareTopic(Topic ?? '')
  const known = KNOWN.find(({ topics }) => topics.some((pattern) => pattern.test(topic)))
  // Some cameras leave the topic out; this name is used for nothing else.
  const names = topic === '' ? ['ismotion'] : (known?.items ?? [])
  const found = names.map((name) => data.find((item) => item['@Name']?.toLowerCase() === name)).find(Boolean)
  const isMoment = known?.isMoment === true && found === undefined
  const isActive = isMoment ? true : readBoolean(found?.['@Value'])
  if (isActive === undefined) return undefined
  const type = known?.type ?? 'motion'
  return { ...describe(topic, message), type, isActive, isMoment, input: undefined }
}

/** Of a digital input: a sensor, if users wired one to it. */
function toInputNotice(message: Message): MotionNotice | undefined {
  const port = toPortNotice(message)
  if (port?.direction !== 'input') return undefined
  const { token: input, isActive } = port
  const described = describe(bareTopic(message.Topic ?? ''), message.Message.Message)
  return { ...described, type: 'pir', isActive, isMoment: false, input }
}

function describe(topic: string, message: Message['Message']['Message']) {
  const sources = [...(message.Source?.SimpleItem ?? []), ...(message.Key?.SimpleItem ?? [])]
  return {
    key: [topic, ...sources.map((item) => `${item['@Name']}=${item['@Value']}`)].join(' ').slice(0, 512),
    sources: sources.flatMap((item) => item['@Value'] ?? []),
    isInitial: message['@PropertyOperation'] === 'Initialized',
    cameraTime: readUtcTime(message['@UtcTime'] ?? ''),
  }
}

/** What a camera reports of a relay output or a digital input. */
export interface PortNotice {
  readonly direction: 'input' | 'output'
  readonly token: string
  readonly isActive: boolean
}

/** ONVIF Device IO §6; the first item of the source is the token in some cameras, whatever its name is. */
const PORT_TOPICS = [
  { pattern: /^Device\/Trigger\/(DigitalInput|AlarmIn)$/, direction: 'input', item: 'inputtoken' },
  { pattern: /^Device\/Trigger\/Relay$/, direction: 'output', item: 'relaytoken' },
] as const

/** The part of a PullMessages reply that is about ports. */
export const portNotices = ({ NotificationMessage }: z.infer<typeof pullShape>): readonly PortNotice[] =>
  NotificationMessage.flatMap((message) => toPortNotice(message) ?? [])

function toPortNotice({ Topic, Message: { Message: message } }: Message): PortNotice | undefined {
  const topic = bareTopic(Topic ?? '')
  const known = PORT_TOPICS.find(({ pattern }) => pattern.test(topic))
  if (known === undefined) return undefined
  const source = [...(message.Source?.SimpleItem ?? []), ...(message.Key?.SimpleItem ?? [])]
  const named = source.find((item) => item['@Name']?.toLowerCase() === known.item) ?? source[0]
  const data = message.Data?.SimpleItem ?? []
  const state = data.find((item) => item['@Name']?.toLowerCase() === 'logicalstate') ?? data[0]
  const isActive = readBoolean(state?.['@Value'])
  const token = named?.['@Value']
  return isActive === undefined || token === undefined ? undefined : { direction: known.direction, token, isActive }
}

/** `tns1:VideoSource/tnsx:MotionAlarm//.` → `VideoSource/MotionAlarm` */
const bareTopic = (topic: string): string =>
  topic
    .slice(0, 256)
    .replace(/[/.\s]+$/, '')
    .split('/')
    .map((step) => step.replace(/^[^:]*:/, '').trim())
    .join('/')

function readBoolean(value: string | undefined): boolean | undefined {
  const lower = value?.toLowerCase()
  if (lower === 'true' || lower === '1' || lower === 'on' || lower === 'active') return true
  return lower === 'false' || lower === '0' || lower === 'off' || lower === 'inactive' ? false : undefined
}

/** xs:dateTime; without a zone it is UTC, as the attribute says. */
function readUtcTime(value: string): number | undefined {
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
  return time >= 0 ? time : undefined
}
