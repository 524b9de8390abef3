import type { SharedText } from '@sightline/client'
import { type Translation, useTranslation } from '@sightline/shell'
import type english from './locales/en.json'

/** The English form of a text of this app. It is also its key in the catalogs. */
export type Text = keyof typeof english | SharedText

export type Translate = Translation<Text>

export const useText: () => Translate = useTranslation
