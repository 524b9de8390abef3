import { type I18n, type Messages, setupI18n } from '@lingui/core'

export interface LanguageChoice {
  /** ISO 639-1, as in the user's details. */
  readonly code: string
  /** The language's name in itself. */
  readonly name: string
  /** The catalogue, loaded only when chosen: `() => import('./locales/nl.json')` of an app with the plugin `catalogues`. */
  load(): Promise<{ readonly default: Messages }>
}

export interface Languages {
  readonly i18n: I18n
  readonly choices: readonly LanguageChoice[]
  /** The code now shown. */
  current(): string
  /** Whether somebody chose a language in this browser, now or earlier. */
  wasChosenHere(): boolean
  /** Shows that language from now on and remembers it in this browser; an unknown code changes nothing. */
  choose(code: string): Promise<void>
}

const REMEMBERED = 'language'
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The first wish that there is a catalogue for; `nl-BE` is served by `nl`. */
export function bestLanguage(offered: readonly string[], wishes: readonly string[]): string {
  const wished = wishes.map((wish) => wish.toLowerCase().split('-')[0] ?? '')
  return wished.find((code) => offered.includes(code)) ?? offered[0] ?? 'en'
}

/** The language to start with: what was chosen in this browser, else what the browser asks for, else the first offered. */
export async function startLanguages(choices: readonly LanguageChoice[]): Promise<Languages> {
  // The key is the English text, so it is what a text without translation shows; English needs no catalogue entry.
  const i18n = setupI18n({ missing: (_, key) => key })
  const codes = choices.map((choice) => choice.code)
  const show = async (code: string): Promise<boolean> => {
    const choice = choices.find((one) => one.code === code)
    if (choice === undefined) return false
    const { default: messages } = await choice.load()
    i18n.loadAndActivate({ locale: code, messages })
    document.documentElement.lang = code
    document.documentElement.dir = rightToLeft.has(code) ? 'rtl' : 'ltr'
    return true
  }
  const remembered = localStorage.getItem(REMEMBERED)
  await show(bestLanguage(codes, [...(remembered === null ? [] : [remembered]), ...navigator.languages]))
  return {
    i18n,
    choices,
    current: () => i18n.locale,
    wasChosenHere: () => localStorage.getItem(REMEMBERED) !== null,
    async choose(code) {
      if (await show(code)) localStorage.setItem(REMEMBERED, code)
    },
  }
}
