import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { choiceCookies } from '@sightline/contract/first-paint'
import { keepChoice, readCookie } from './cookies.ts'

export interface LanguageChoice {
  /** ISO 639-1, as in the user's details. */
  readonly code: string
  /** The language's name in itself. */
  readonly name: string
  /** The catalogue, loaded only when chosen: `() => import('./locales/nl.json')` of an app with the plugin `catalogues`. */
  load(): Promise<{ readonly default: Messages }>
  /** Further catalogues that a first screen does without; loaded when the browser has nothing better to do. */
  readonly loadLater?: readonly LanguageChoice['load'][]
}

export interface Languages {
  readonly i18n: I18n
  readonly choices: readonly LanguageChoice[]
  /** Offers one more, from now on. */
  offer(choice: LanguageChoice): void
  /** The code now shown. */
  current(): string
  /** Resolves once every text of the language shown is there, also those that come later. */
  complete(): Promise<void>
  /** Shows that language, whole, from now on and remembers it in this browser; an unknown code changes nothing. */
  choose(code: string): Promise<void>
  /** The same for a language that was chosen elsewhere, unless one was chosen on this page. */
  follow(code: string): Promise<void>
}

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The first wish that there is a catalogue for; `nl-BE` is served by `nl`. */
export function bestLanguage(offered: readonly string[], wishes: readonly string[]): string {
  const wished = wishes.map((wish) => wish.toLowerCase().split('-')[0] ?? '')
  return wished.find((code) => offered.includes(code)) ?? offered[0] ?? 'en'
}

/** The language that somebody chose in this browser, now or earlier. */
export const languageChosenHere = (): string | undefined => readCookie(document, choiceCookies.language)

async function loadLater(i18n: I18n, code: string, later: readonly LanguageChoice['load'][]): Promise<void> {
  const catalogues = await Promise.all(later.map((load) => load()))
  i18n.load(code, Object.assign({}, ...catalogues.map((catalogue) => catalogue.default)))
}

const IDLE_WITHIN_MS = 5000

/** When the first screen is through, as far as the browser can tell; Safari cannot. */
const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'undefined') setTimeout(work, IDLE_WITHIN_MS / 2)
  else requestIdleCallback(work, { timeout: IDLE_WITHIN_MS })
}

/** The language to start with: what was chosen in this browser, else what the browser asks for, else the first offered. */
export async function startLanguages(first: readonly LanguageChoice[]): Promise<Languages> {
  // The key is the English text, so it is what a text without translation shows; English needs no catalogue entry.
  const i18n = setupI18n({ missing: (_, key) => key })
  const choices = [...first]
  const codes = choices.map((choice) => choice.code)
  const whole = new Map<string, Promise<void>>()
  const complete = (code: string): Promise<void> => {
    const loading = whole.get(code) ?? loadLater(i18n, code, choices.find((one) => one.code === code)?.loadLater ?? [])
    whole.set(code, loading)
    // What could not be loaded is worth another try.
    loading.catch(() => whole.delete(code))
    return loading
  }
  // Without them errors are told in English.
  const asFarAsPossible = (code: string) => complete(code).catch(() => undefined)
  const load = async (code: string): Promise<boolean> => {
    const choice = choices.find((one) => one.code === code)
    if (choice === undefined) return false
    const { default: messages } = await choice.load()
    i18n.load(code, messages)
    return true
  }
  let wishes = 0
  let isChosen = false
  const show = (code: string): void => {
    i18n.activate(code)
    document.documentElement.lang = code
    document.documentElement.dir = rightToLeft.has(code) ? 'rtl' : 'ltr'
  }
  const change = async (code: string): Promise<void> => {
    wishes += 1
    const own = wishes
    const isShown = code === i18n.locale
    if (!isShown && !(await load(code))) return
    // What the screen around shows may be of the late texts.
    await asFarAsPossible(code)
    // Another one was chosen meanwhile.
    if (own !== wishes) return
    if (!isShown) show(code)
    keepChoice(document, choiceCookies.language, code)
  }
  const chosen = languageChosenHere()
  const best = bestLanguage(codes, [...(chosen === undefined ? [] : [chosen]), ...navigator.languages])
  await load(best)
  show(best)
  whenIdle(() => void asFarAsPossible(best))
  return {
    i18n,
    choices,
    offer(choice) {
      choices.push(choice)
      // Whoever lists them draws again.
      i18n.activate(i18n.locale)
    },
    current: () => i18n.locale,
    complete: () => complete(i18n.locale),
    choose(code) {
      isChosen = true
      return change(code)
    },
    follow: async (code) => (isChosen ? undefined : change(code)),
  }
}
