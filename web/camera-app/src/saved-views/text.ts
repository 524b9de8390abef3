import type { LaterText } from '@sightline/client'
import { type Translation, useTranslation } from '@sightline/shell'
import type { Text as AppText } from '../text.ts'
import type english from './locales/en.json'

/** The English form of a text of these screens. It is also its key in the catalogs. */
export type Text = keyof typeof english | AppText | LaterText

export const useText: () => Translation<Text> = useTranslation
