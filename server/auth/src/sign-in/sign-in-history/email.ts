import type { EpochMs } from '@sightline/platform/clock'
import type { EmailTemplate } from '@sightline/platform/mail'
import { chooseMailLanguage, fill } from '../../people/email-templates/index.ts'
import type { SessionOrigin } from '../../sessions/request-origin/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** Reports a sign-in from a device or country that is new for the user. */
export function newSignInEmail(given: {
  readonly language: string
  readonly company: string
  readonly origin: SessionOrigin
  readonly at: EpochMs
  /** Where the user sees all of them. */
  readonly listAddress: string | undefined
  readonly lockdownAddress: string
  readonly orOpen: string
}): EmailTemplate {
  const language = chooseMailLanguage(given.language)
  const texts = languages.get(language) ?? en
  const said = (text: string): string => fill(text, { company: given.company, address: given.listAddress ?? '' })
  const subject = said(texts.subject)
  const when = `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(given.at)} UTC`
  const facts = [deviceIn(texts, given.origin), placeIn(texts, language, given.origin), when]
  return {
    subject,
    heading: subject,
    paragraphs: [said(texts.intro), facts.join(' · '), said(texts.wasYou), said(texts.wasNot)],
    button: { label: texts.button, address: given.lockdownAddress, orOpen: given.orOpen },
    footnotes: given.listAddress === undefined ? [] : [said(texts.list)],
    language,
  }
}

function deviceIn(texts: typeof en, { device }: SessionOrigin): string {
  const { browser, system } = device
  if (browser !== null && system !== null) return fill(texts.device, { browser, system })
  return browser ?? system ?? texts.unknownDevice
}

function placeIn(texts: typeof en, language: string, { place, address }: SessionOrigin): string {
  const country =
    place.country === null ? undefined : new Intl.DisplayNames([language], { type: 'region' }).of(place.country)
  const known = place.isLocal ? texts.localNetwork : [place.city, country].filter(Boolean).join(', ')
  const shown = address ?? texts.unknownPlace
  return known === '' ? shown : `${known} (${shown})`
}
