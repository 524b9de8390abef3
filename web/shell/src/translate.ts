import type { I18n } from '@lingui/core'
import type { SharedText } from '@sightline/client'

/** Puts texts, named by their English form, into the language shown; `Text` are those that the catalogues hold. */
export interface Translation<Text extends string = SharedText> {
  /** A text in the language shown, with `values` for its places. */
  (text: Text, values?: Record<string, string | number>): string
  /** A text that a rule or the error catalogue chose at run time; one without translation stays English. */
  message(text: string): string
}

export function translationOf<Text extends string = SharedText>(i18n: I18n): Translation<Text> {
  const translate = (text: Text, values?: Record<string, string | number>) => i18n._(text, values)
  return Object.assign(translate, { message: (text: string) => i18n._(text) })
}
