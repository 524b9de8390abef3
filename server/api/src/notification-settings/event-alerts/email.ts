import { type NotificationType, typesWithPicture } from '@sightline/contract/notification-settings'
import type { PushPayload } from '@sightline/contract/push-devices'
import type { EmailTemplate } from '@sightline/platform/mail'
import { cameraTag, put, SETTINGS_PATH, unlinked } from '../recipients/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import type { AlertItem } from './message-store.ts'

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** What happened at a camera, with what its reader may see of it. */
export interface ToldCamera extends AlertItem {
  readonly name: string
  /** A JPEG in base64. */
  readonly picture: string | undefined
}

export interface EventAlert {
  readonly type: Exclude<NotificationType, 'cameraDown'>
  /** At least one. */
  readonly cameras: readonly ToldCamera[]
  readonly language: string
  /** Of the account. */
  readonly timeZone: string
  /** Whether the reader may play recordings. */
  readonly isPlayable: boolean
}

/** The email lists at most this many cameras. */
const MAX_LINES = 50
/** What fits on a lock screen. */
const MAX_NAMES = 5

interface Words {
  readonly language: string
  readonly texts: typeof en
  readonly title: string
  /** One per camera. */
  readonly lines: readonly string[]
  readonly when: (ms: number) => string
}

function wordsOf({ type, cameras, timeZone, ...given }: EventAlert): Words {
  const language = languages.has(given.language) ? given.language : 'en'
  const texts = languages.get(language) ?? en
  const written = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const when = (ms: number) => written.format(ms)
  const { one, many } = texts[type]
  const [first] = cameras
  const title =
    cameras.length === 1
      ? put(one, { camera: unlinked(first?.name ?? '') })
      : put(many, { count: String(cameras.length) })
  const lines = cameras.map((camera) => {
    const { name, count, firstAt, lastAt } = camera
    const values = { camera: unlinked(name), count: String(count), time: when(firstAt), until: when(lastAt) }
    return put(lineOf(texts, type, camera), values)
  })
  return { language, texts, title, lines, when }
}

function lineOf(texts: typeof en, type: EventAlert['type'], { count, trouble }: ToldCamera): string {
  if (type === 'storageFull') return texts.storageFull.once
  if (type === 'deviceTrouble') {
    const { clockWrong, eventsLost, credentialsRefused, certificateChanged } = texts.deviceTrouble
    const troubles = new Map(Object.entries({ clockWrong, eventsLost, credentialsRefused, certificateChanged }))
    return troubles.get(trouble ?? '') ?? texts.deviceTrouble.one
  }
  return count === 1 ? texts[type].once : texts[type].times
}

/** The page of what happened: the moment in the camera's recordings for those who may play them. */
function pathOf({ type, cameras: [first, second], isPlayable }: EventAlert): string {
  if (first === undefined || second !== undefined) return '/app/'
  const camera = `/app/cameras/${first.cameraId}`
  return isMoment(type) && isPlayable ? `${camera}?t=${new Date(first.firstAt).toISOString()}` : camera
}

const isMoment = (type: EventAlert['type']): boolean => typesWithPicture.includes(type)

function buttonLabel(texts: typeof en, { type, cameras, isPlayable }: EventAlert): string {
  if (cameras.length > 1) return texts.viewMany
  return isMoment(type) && isPlayable ? texts.play : texts.view
}

/** @param origin of the recipient's brand. */
export function eventAlertEmail(alert: EventAlert, origin: string): EmailTemplate {
  const { language, texts, title, lines, when } = wordsOf(alert)
  const beyond = lines.length - MAX_LINES
  const more = beyond > 0 ? [put(texts.more, { count: String(beyond) })] : []
  const about = texts[alert.type]
  return {
    subject: title,
    heading: title,
    paragraphs: [...lines.slice(0, MAX_LINES), ...more, ...('advice' in about ? [about.advice] : [])],
    pictures: alert.cameras.flatMap(({ name, firstAt, picture }) =>
      picture === undefined
        ? []
        : [{ jpegBase64: picture, caption: put(texts.picture, { camera: unlinked(name), time: when(firstAt) }) }],
    ),
    button: { label: buttonLabel(texts, alert), address: `${origin}${pathOf(alert)}`, orOpen: texts.orOpen },
    footnotes: [put(texts.why, { address: `${origin}${SETTINGS_PATH}` })],
    language,
  }
}

/** The same cameras have one push message of a type on a screen: a new one replaces it. */
export function eventAlertPayload(alert: EventAlert): PushPayload {
  const { language, title, lines, texts } = wordsOf(alert)
  const { cameras, type } = alert
  const names = cameras.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = put(texts.more, { count: String(cameras.length - MAX_NAMES) })
  const list = cameras.length > MAX_NAMES ? `${names.join(', ')}. ${more}` : names.join(', ')
  const tag = cameraTag(
    type,
    cameras.map(({ cameraId }) => cameraId),
  )
  return { title, body: cameras.length === 1 ? (lines[0] ?? '') : list, path: pathOf(alert), tag, language }
}
