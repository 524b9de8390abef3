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

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** Kinds of alerts: cameras are offline, still offline, or back. */
export type AlertKind = 'down' | 'stillDown' | 'up'

export interface AlertCamera {
  readonly cameraId: number
  readonly name: string
  /** Milliseconds since 1970. */
  readonly offlineSince: number
}

export interface Alert {
  readonly kind: AlertKind
  /** At least one, by name. */
  readonly cameras: readonly AlertCamera[]
  readonly language: string
  /** Of the account. */
  readonly timeZone: string
}

/** The email lists at most this many cameras; the camera list has all of them. */
const MAX_LINES = 50
/** What fits on a lock screen. */
const MAX_NAMES = 5

const pathOf = ([first, second]: readonly AlertCamera[]): string =>
  first === undefined || second !== undefined ? '/app/' : `/app/cameras/${first.cameraId}`

interface Said {
  readonly language: string
  readonly texts: typeof en
  readonly title: string
  /** One per camera. */
  readonly lines: readonly string[]
}

function say({ kind, cameras, timeZone, ...given }: Alert): Said {
  const language = languages.has(given.language) ? given.language : 'en'
  const texts = languages.get(language) ?? en
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const { one, many, since } = texts[kind]
  const [first] = cameras
  const count = String(cameras.length)
  const lines = cameras.map(({ name, offlineSince }) =>
    put(since, { camera: unlinked(name), time: time.format(offlineSince) }),
  )
  const title = cameras.length === 1 ? put(one, { camera: unlinked(first?.name ?? '') }) : put(many, { count })
  return { language, texts, title, lines }
}

/** @param origin of the recipient's brand. */
export function alertEmail(alert: Alert, origin: string): EmailTemplate {
  const { language, texts, title, lines } = say(alert)
  const beyond = lines.length - MAX_LINES
  const more = beyond > 0 ? [put(texts.more, { count: String(beyond) })] : []
  return {
    subject: title,
    heading: title,
    paragraphs: [...lines.slice(0, MAX_LINES), ...more, texts[alert.kind].advice],
    button: {
      label: lines.length === 1 ? texts.button : texts.buttonMany,
      address: `${origin}${pathOf(alert.cameras)}`,
      orOpen: texts.orOpen,
    },
    footnotes: [put(texts.why, { address: `${origin}${SETTINGS_PATH}` })],
    language,
  }
}

/** A camera has one push message on a screen: a new one replaces it. */
export function alertPayload(alert: Alert): PushPayload {
  const { language, title, lines, texts } = say(alert)
  const { cameras } = alert
  const names = cameras.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = put(texts.more, { count: String(cameras.length - MAX_NAMES) })
  const list = cameras.length > MAX_NAMES ? `${names.join(', ')}. ${more}` : names.join(', ')
  const body = cameras.length === 1 ? (lines[0] ?? '') : list
  return { title, body, path: pathOf(cameras), tag: getAlertTag(alert), language }
}

/** Distinguishes messages on a screen and at the push service. */
const getAlertTag = ({ cameras, kind }: Alert): string =>
  cameraTag(
    cameras.length === 1 ? 'camera' : `cameras-${kind}`,
    cameras.map(({ cameraId }) => cameraId),
  )
