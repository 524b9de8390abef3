import type { LaterText } from '@sightline/client'
import { type Translation, useTranslation } from '@sightline/shell'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

/** Texts of this page, which load with it. */
export type SessionsText = keyof typeof english | Text | LaterText

export const useSessionsText: () => Translation<SessionsText> = useTranslation
