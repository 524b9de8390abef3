import type { LaterText } from '@sightline/client'
import { type Right, type RightGroup, rightGroupTextKey, rightTextKeys } from '@sightline/contract/rights'
import { type Translation, useTranslation } from '@sightline/shell'
import type english from './locales/en.json'

/** The English form of a text, or the key that the contract has for the words of a right, in the catalogues here. */
export type Text = keyof typeof english | LaterText

export const useText: () => Translation<Text> = useTranslation

/** The words for rights and for the headings that they stand under, in the language shown. */
export function useRightWords() {
  const t = useText()
  return {
    name: (right: Right): string => t.message(rightTextKeys(right).name),
    description: (right: Right): string => t.message(rightTextKeys(right).description),
    group: (group: RightGroup): string => t.message(rightGroupTextKey(group)),
  }
}
