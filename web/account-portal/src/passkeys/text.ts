import type { LaterText } from '@sightline/client'
import { type Translation, useTranslation } from '@sightline/shell'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

/** Texts of this card, which load with its screen. */
export type PasskeyText = keyof typeof english | Text | LaterText

export const usePasskeyText: () => Translation<PasskeyText> = useTranslation
