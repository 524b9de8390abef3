import type { I18n } from '@lingui/core'
import type { SharedText } from '@sightline/client'

/**
 * Translates texts, identified by their English form, into the current language. `Text` are the texts of the catalogs.
 */
export interface Translation<Text extends string = SharedText> {
  /** A text in the current language; `values` replace its placeholders. */
  (text: Text, values?: Record<string, string | number>): string
  /**
   * A text chosen at run time by a validation rule or the error catalog. Without a translation, it stays in English.
   */
  message(text: string): string
}

export function createTranslation<Text extends string = SharedText>(i18n: I18n): Translation<Text> {
  const translate = (text: Text, values?: Record<string, string | number>) => i18n._(text, values)
  return Object.assign(translate, { message: (text: string) => i18n._(text) })
}
