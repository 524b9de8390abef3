import { type Translation, useTranslation } from '@sightline/shell'
import type english from './locales/en.json'

/** Texts of embedded pages. */
type EmbeddedText = keyof typeof english

export const useEmbeddedText: () => Translation<EmbeddedText> = useTranslation
