import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { choiceCookies } from '@sightline/contract/first-paint'
import { keepChoice, readCookie } from './cookies.ts'

export interface LanguageChoice {
  /** ISO 639-1, as in the user's details. */
  readonly code: string
  /** The language's name in that language. */
  readonly name: string
  /**
   * The catalog, loaded when the language is chosen: `() => import('./locales/nl.json')` in an app with the plugin
   * `catalogues`.
   */
  load(): Promise<{ readonly default: Messages }>
  /** More catalogs, which a first screen doesn't need. They load when the browser is idle. */
  readonly loadLater?: readonly LanguageChoice['load'][]
}

export interface Languages {
  readonly i18n: I18n
  readonly choices: readonly LanguageChoice[]
  /** Adds a language. */
  offer(choice: LanguageChoice): void
  /** The code of the current language. */
  current(): string
  /** Resolves when all texts of the current language are loaded, including the late ones. */
  complete(): Promise<void>
  /**
   * Changes to this language when its texts are loaded, and stores the choice in this browser. An unknown code changes
   * nothing.
   */
  choose(code: string): Promise<void>
  /** The same for a language that was chosen elsewhere, unless the user chose one on this page. */
  follow(code: string): Promise<void>
}

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The first preferred language that has a catalog; `nl` serves `nl-BE`. */
export function bestLanguage(offered: readonly string[], wishes: readonly string[]): string {
  const wished = wishes.map((wish) => wish.toLowerCase().split('-')[0] ?? '')
  return wished.find((code) => offered.includes(code)) ?? offered[0] ?? 'en'
}

/** The language that was chosen in this browser, now or earlier. */
export const languageChosenHere = (): string | undefined => readCookie(document, choiceCookies.language)

async function loadLater(i18n: I18n, code: string, later: readonly LanguageChoice['load'][]): Promise<void> {
  const catalogues = await Promise.all(later.map((load) => load()))
  i18n.load(code, Object.assign({}, ...catalogues.map((catalogue) => catalogue.default)))
}

const IDLE_WITHIN_MS = 5000

/** When the browser is idle after the first screen. Safari can't tell. */
const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'undefined') setTimeout(work, IDLE_WITHIN_MS / 2)
  else requestIdleCallback(work, { timeout: IDLE_WITHIN_MS })
}

/** The first language: the one chosen in this browser, then the browser's preference, then the first available one. */
export async function startLanguages(first: readonly LanguageChoice[]): Promise<Languages> {
  // The key is the English text, so a text without a translation appears in English. English needs no catalog entry.
  const i18n = setupI18n({ missing: (_, key) => key })
  const choices = [...first]
  const codes = choices.map((choice) => choice.code)
  const whole = new Map<string, Promise<void>>()
  const complete = (code: string): Promise<void> => {
    const loading = whole.get(code) ?? loadLater(i18n, code, choices.find((one) => one.code === code)?.loadLater ?? [])
    whole.set(code, loading)
    // Allows another attempt after a failed load.
    loading.catch(() => whole.delete(code))
    return loading
  }
  // Without these texts, errors are in English.
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
    // The current screen may show some of the late texts.
    await asFarAsPossible(code)
    // The user chose another language meanwhile.
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
      // Updates lists of the languages.
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
