import { createContext, type ReactNode, useContext } from 'react'

/** All texts of the kit itself; apps translate them by their English text. */
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

/** Texts of tables and other components that no first screen needs. */
export const laterKitTexts = [
  'Choose {date} or earlier',
  'Choose {date} or later',
  'Choose {field}',
  'Clear',
  'Clear search and filters',
  'Clear {field}',
  'Collapse menu',
  'Complete this field or clear it',
  'Copied',
  'Copy',
  'Discard changes',
  'Expand menu',
  'From',
  "I've saved it",
  'Keep editing',
  'Loading {what}',
  'Next page',
  'No results match your search and filters',
  'Previous page',
  'Rows per page',
  'Rows {from}–{till}',
  'Rows {from}–{till} of {total}',
  'Save changes',
  'Saving',
  'Select all rows on this page',
  'Select {row}',
  'Sort by',
  'Turn all off',
  'Turn all on',
  'To',
  'Actions for {row}',
  "Your changes haven't been saved.",
  'All',
  'None',
  '{count} selected',
  'Select all {count}',
  '{count} of {total} on',
  '{count} of {total} selected',
  "The end date can't be before the start date",
  '{count} of {total} rows loaded',
  '{count} rows loaded',
  'Stop loading',
  'Continue loading',
  'Only the first {count} rows are shown. Search or filter to find others.',
] as const
export type KitText = (typeof kitTexts)[number] | (typeof laterKitTexts)[number]

/** Translates a text of the kit, with `values` for its placeholders. */
export type TranslateKit = (text: KitText, values?: Readonly<Record<string, string | number>>) => string

/** The English text with its placeholders filled in. */
const inEnglish: TranslateKit = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const Translate = createContext<TranslateKit>(inEnglish)

/** Provides the app's translations to the kit. */
export function KitTextProvider({ translate, children }: { translate: TranslateKit; children: ReactNode }) {
  return <Translate value={translate}>{children}</Translate>
}

export const useKitText = (): TranslateKit => useContext(Translate)
