import type { I18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type { SharedText } from '@sightline/client'
import type english from './locales/en.json'

/** The English form of a text of this app, which is also its key in the catalogues. */
export type Text = keyof typeof english | SharedText

export interface Translate {
  /** A text in the language shown, with `values` for its places. */
  (text: Text, values?: Record<string, string | number>): string
  /** A text that a rule or the error catalogue chose at run time; one without translation stays English. */
  message(text: string): string
}

export function translator(i18n: I18n): Translate {
  const translate = (text: Text, values?: Record<string, string | number>) => i18n._(text, values)
  return Object.assign(translate, { message: (text: string) => i18n._(text) })
}

/** Draws again when the language changes. */
export function useText(): Translate {
  return translator(useLingui().i18n)
}
