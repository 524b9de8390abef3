import type { Letter } from '@sightline/platform/mail'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The language of a user as a mail and the page of its link have it: English where there is no other. */
export const languageFor = (language: string): string => (languages.has(language) ? language : 'en')

/** What stands before the address of a button, for whom the button does not work. */
export const orOpenIn = (language: string): string => (languages.get(language) ?? en).orOpen

/** Puts values where a text of a catalogue names them in braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/**
 * A name as it may stand in a mail that we vouch for. Mail programs make a link of whatever looks like an address, and a
 * person may choose the own name: none of it looks like one any more.
 */
export const harmlessName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}' .-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)

/** The mail that brings a link for a password. `invitedBy` is for invitations. */
export function linkLetter(given: {
  readonly kind: 'invitation' | 'reset'
  readonly language: string
  readonly company: string
  readonly address: string
  readonly invitedBy?: string | undefined
  /** Named where the reader has several. */
  readonly account?: string | undefined
}): Letter {
  const { kind, address, company, invitedBy = '', account } = given
  const language = languageFor(given.language)
  const { orOpen, ignore, whichAccount, ...kinds } = languages.get(language) ?? en
  const t = kinds[kind]
  const names = { company, inviter: harmlessName(invitedBy), account: harmlessName(account ?? '') }
  const said = (text: string): string => fill(text, names)
  return {
    subject: said(t.subject),
    heading: said(t.heading),
    paragraphs: [said(t.intro), ...(account === undefined ? [] : [said(whichAccount)]), said(t.validity)],
    button: { label: said(t.button), address, orOpen },
    footnotes: [said(ignore[kind])],
    language,
  }
}

/** Tells an address that the user it was of has another one. Names no address: this one may be somebody else's by now. */
export function newEmailLetter(given: {
  readonly language: string
  readonly company: string
  readonly changedBy: string
}): Letter {
  const language = languageFor(given.language)
  const { newEmail } = languages.get(language) ?? en
  const said = (text: string): string => fill(text, { company: given.company, changer: harmlessName(given.changedBy) })
  const subject = said(newEmail.subject)
  const paragraphs = [said(newEmail.intro), said(newEmail.unexpected)]
  return { subject, heading: subject, paragraphs, footnotes: [], language }
}

/** What happened to somebody's second factor; `left` recovery codes still work. */
export type SecondFactorNews =
  | { readonly kind: 'mfaEnabled' | 'mfaDisabled' | 'mfaReset' | 'recoveryCodesRenewed' }
  | { readonly kind: 'passkeyAdded' | 'passkeyRemoved' | 'passkeysAskedFor' | 'passkeysNotAskedFor' }
  | { readonly kind: 'recoveryCodeUsed'; readonly left: number }

/** Tells people what happened to their second factor, for the case that it was not they who did it. */
export function secondFactorLetter(
  given: SecondFactorNews & { readonly language: string; readonly company: string },
): Letter {
  const language = languageFor(given.language)
  const { secondFactor } = languages.get(language) ?? en
  const left = given.kind === 'recoveryCodeUsed' ? String(given.left) : ''
  const said = (text: string): string => fill(text, { company: given.company, left })
  const { subject, intro } = secondFactor[given.kind]
  return {
    subject: said(subject),
    heading: said(subject),
    paragraphs: [said(intro), said(secondFactor.unexpected)],
    footnotes: [],
    language,
  }
}
