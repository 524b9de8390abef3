import { type Translation, useTranslation } from '@sightline/shell'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

/** Texts of this page, which load with it. */
export type SupportText = keyof typeof english | Text

export const useSupportText: () => Translation<SupportText> = useTranslation
