import { createContext, type ReactNode, useContext } from 'react'

/** Every text that the kit itself says; an app translates them by their English form. */
export const kitTexts = [
  'Close',
  'Show password',
  'Hide password',
  'Nothing found',
  'Open menu',
  'Close menu',
  'Loading',
  'Cancel',
  'Skip to content',
  'Applications',
  'Notifications',
  'Menu',
] as const

/** What tables and parts of further screens say: no first screen needs it. */
export const laterKitTexts = [
  'Clear',
  'Clear search and filters',
  'Clear {field}',
  'Collapse menu',
  'Copied',
  'Copy',
  'Discard changes',
  'Expand menu',
  'From',
  'I have stored it',
  'Keep editing',
  'Loading {what}',
  'Next page',
  'Nothing found for this search and these filters',
  'Previous page',
  'Rows per page',
  'Rows {from}–{till}',
  'Rows {from}–{till} of {total}',
  'Save',
  'Saving',
  'Select all rows of this page',
  'Select {row}',
  'Sort by',
  'Switch all off',
  'Switch all on',
  'Till',
  'What can be done with {row}',
  'Your changes have not been saved.',
  'All',
  'None',
  '{count} selected',
  'Select all {count}',
  '{count} of {total} on',
  '{count} of {total} chosen',
  'Till must not be before From',
  '{count} of {total} rows so far',
  '{count} rows so far',
  'Stop',
  'Go on',
  'Only the first {count} rows are shown. A search or a filter finds others.',
] as const
export type KitText = (typeof kitTexts)[number] | (typeof laterKitTexts)[number]

/** A text of the kit in the language shown, with `values` for its places. */
export type TranslateKit = (text: KitText, values?: Readonly<Record<string, string | number>>) => string

/** The English text itself, its places filled in. */
const inEnglish: TranslateKit = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const Translate = createContext<TranslateKit>(inEnglish)

/** Makes the kit speak the app's language. */
export function KitTextProvider({ translate, children }: { translate: TranslateKit; children: ReactNode }) {
  return <Translate value={translate}>{children}</Translate>
}

export const useKitText = (): TranslateKit => useContext(Translate)
