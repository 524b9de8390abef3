import type { LaterText } from '@sightline/client'
import { type Right, type RightGroup, rightGroupTextKey, rightTextKeys } from '@sightline/contract/rights'
import { type Translation, useTranslation } from '@sightline/shell'
import type english from './locales/en.json'

/** The English form of a text, or the contract's key for the name of a right. Both are keys of the catalogs here. */
export type Text = keyof typeof english | LaterText

export const useText: () => Translation<Text> = useTranslation

/** The names of rights and of their headings, in the current language. */
export function useRightWords() {
  const t = useText()
  return {
    name: (right: Right): string => t.message(rightTextKeys(right).name),
    description: (right: Right): string => t.message(rightTextKeys(right).description),
    group: (group: RightGroup): string => t.message(rightGroupTextKey(group)),
  }
}
