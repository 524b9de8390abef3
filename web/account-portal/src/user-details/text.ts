import type { LaterText } from '@sightline/client'
import { type Translation, useTranslation } from '@sightline/shell'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

/** Texts of the cards below the first one, which load with them. */
export type SignInCardText = keyof typeof english | Text | LaterText

export const useSignInCardText: () => Translation<SignInCardText> = useTranslation
