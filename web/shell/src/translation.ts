import type { I18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type { SharedText } from '@sightline/client'
import { useMemo } from 'react'

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

/** Draws again when the language changes, and is the same until then. An app gives it the texts of its own catalogue. */
export function useTranslation<Text extends string = SharedText>(): Translation<Text> {
  // Another object after each change of language.
  const { i18n } = useLingui()
  return useMemo(() => translationOf(i18n), [i18n])
}
