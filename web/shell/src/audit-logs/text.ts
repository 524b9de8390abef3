import type { LaterText, SharedText } from '@sightline/client'
import { type Translation, useTranslation } from '../translation.tsx'
import type english from './locales/en.json'

/** The English form of a text of these screens, which is also its key in their catalogues. */
export type Text = keyof typeof english | SharedText | LaterText

export const useText: () => Translation<Text> = useTranslation
